/** A path as a user types it: `spec.list[1].name`. */
function formatFieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

/** One problem of a value, as a schema reports it. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Problems in one line, each with its field, sorted, at most five. */
export function formatIssues(root: readonly PropertyKey[], issues: readonly Issue[]): string {
  const lines = issues.map(({ path, message }) => {
    const field = formatFieldPath([...root, ...path]);
    return field === '' ? message : `${field}: ${message}`;
  });
  return [...new Set(lines)].sort().slice(0, 5).join('; ');
}
