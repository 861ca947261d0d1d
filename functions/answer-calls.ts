import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import type { Metrics } from './metrics.ts';
import { type Answer, type RunOptions, runFunction } from './run-function.ts';
import type { ServeSettings } from './serve-options.ts';
import { UndecodableRequest } from './wire/undecodable-request.ts';

type AnswerCall = (call: ServerUnaryCall<Buffer, Uint8Array>, callback: sendUnaryData<Uint8Array>) => void;

/** Answers RunFunction from bytes to bytes. Nothing that is thrown leaves it: a call fails, the server lives. */
export function answerCalls(settings: ServeSettings, metrics: Metrics | undefined): AnswerCall {
  const { name, compose, log } = settings;
  const options: RunOptions = {
    ...settings,
    onError: (error, { kind, metadata }) => {
      metrics?.failed(kind);
      log.error({ err: error, kind, namespace: metadata.namespace, name: metadata.name }, 'Cannot compose');
    },
  };

  function observe({ subject }: Partial<Answer>, started: number): void {
    const milliseconds = performance.now() - started;
    metrics?.answered(subject?.kind ?? '', milliseconds / 1000);
    if (log.isLevelEnabled('debug')) log.debug({ ...subject, milliseconds }, 'Answered');
  }

  function refuse(error: unknown, started: number): { readonly code: status; readonly details: string } {
    metrics?.failed('');
    observe({}, started);
    if (error instanceof UndecodableRequest) {
      log.warn({ err: error }, 'Refused a request');
      return { code: status.INVALID_ARGUMENT, details: error.message };
    }
    log.error({ err: error }, 'Cannot answer');
    return { code: status.INTERNAL, details: 'Cannot answer: see the log of the function' };
  }

  return (call, callback) => {
    const started = performance.now();
    let answer: Answer;
    try {
      answer = runFunction(name, compose, call.request, options);
    } catch (error) {
      callback(refuse(error, started));
      return;
    }
    callback(null, answer.bytes);
    observe(answer, started);
  };
}
