import { type Logger, pino, stdTimeFunctions } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log of JSON lines on standard error. It writes at once, so that the last words of a process are never lost. */
export function createLog(level: LogLevel): Logger {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, pino.destination({ fd: 2, sync: true }));
}
