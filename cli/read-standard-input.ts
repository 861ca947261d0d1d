import { readSync } from 'node:fs';

/** Milliseconds to wait where nothing has arrived yet. */
const pauseMillis = 20;

/** All of standard input as text. A pipe may be open and empty for now, which is no error. */
export function readStandardInput(): string {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(1 << 16);
  for (;;) {
    const count = readSome(chunk);
    if (count === 0) return Buffer.concat(chunks).toString('utf8');
    if (count > 0) chunks.push(Buffer.from(chunk.subarray(0, count)));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMillis);
  }
}

/** Bytes read; 0 at the end, -1 where none are there yet. */
function readSome(chunk: Buffer): number {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return -1;
    if (code === 'EOF') return 0;
    throw error;
  }
}
