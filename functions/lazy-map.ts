/** A map over these keys whose values are made when somebody asks for them, once each. */
export function lazyMap<V>(keys: readonly string[], make: (key: string) => V): ReadonlyMap<string, V> {
  const known = new Set(keys);
  const made = new Map<string, V>();
  const valueAt = (key: string): V => {
    const before = made.get(key);
    if (before !== undefined) return before;
    const value = make(key);
    made.set(key, value);
    return value;
  };
  function* entries(): Generator<[string, V], undefined> {
    for (const key of known) yield [key, valueAt(key)];
  }
  function* values(): Generator<V, undefined> {
    for (const key of known) yield valueAt(key);
  }
  const map: ReadonlyMap<string, V> = {
    size: known.size,
    has: (key) => known.has(key),
    get: (key) => (known.has(key) ? valueAt(key) : undefined),
    keys: () => known.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach: (callback) => {
      for (const [key, value] of entries()) callback(value, key, map);
    },
  };
  return map;
}
