/** The two languages of GitOps tools, by real interpreters: Lua as Argo CD runs it, CEL as Flux does. */
import { isRecord, type KubernetesObject } from '../../domain/kubernetes/object.ts';

/** Imported by name: one has no types, and both are for these tests alone. */
const load = async (name: string) => await import(name);

/** Runs a health script over an object and returns what it says. Throws with the interpreter's message. */
export async function runLua(script: string, object: KubernetesObject): Promise<Readonly<Record<string, string>>> {
  const { lua, lauxlib, lualib, to_luastring } = (await load('fengari')).default;
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  const say = `local function health()\n${script}\nend\nlocal hs = health()\nreturn hs.status, hs.message`;
  const program = `local obj = ${toLua(object)}\n${say}`;
  const failed = lauxlib.luaL_dostring(state, to_luastring(program));
  if (failed) throw new Error(lua.lua_tojsstring(state, -1));
  const [status, message] = [
    lua.lua_tojsstring(state, -2),
    lua.lua_isnil(state, -1) ? '' : lua.lua_tojsstring(state, -1),
  ];
  return message === '' ? { status } : { status, message };
}

/** A value as a Lua expression. */
function toLua(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(toLua).join(', ')}}`;
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `[${quote(key)}] = ${toLua(item)}`)
      .join(', ')}}`;
  return typeof value === 'string' ? quote(value) : value === null || value === undefined ? 'nil' : String(value);
}

/** Lua's own escapes: a byte by its number, whatever it is. */
function quote(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;
}

/** Evaluates a health expression over an object, whose fields are its variables. Throws where it cannot. */
export async function runCel(expression: string, object: KubernetesObject): Promise<boolean> {
  const { evaluate } = await load('@marcbachmann/cel-js');
  return evaluate(expression, toCel(object)) === true;
}

/** Whole numbers are int in CEL, which is a bigint here. */
function toCel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCel);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toCel(item)]));
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
