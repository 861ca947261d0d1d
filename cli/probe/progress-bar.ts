/** Where a bar is drawn: standard error, so that what is printed can be piped. */
export interface BarStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** One more step of what is named. */
  readonly step: (name: string) => void;
  readonly end: () => void;
}

const width = 30;

/** A bar over a number of steps; it draws on a terminal only. */
export function progressBar(stream: BarStream, total: number): ProgressBar {
  if (stream.isTTY !== true) return { step: () => {}, end: () => {} };
  let done = 0;
  const draw = (name: string) => {
    const filled = Math.min(width, Math.round((width * done) / Math.max(1, total)));
    stream.write(`\r\u001b[K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${name}`);
  };
  return {
    step: (name) => {
      done += 1;
      draw(name);
    },
    end: () => stream.write('\r\u001b[K'),
  };
}
