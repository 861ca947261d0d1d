import { protocolWires } from '../../domain/evidence/wire/protocol-wire.ts';
import { parseEvent } from '../../domain/evidence/wire/server-sent-events.ts';
import { addPart, endAnswer, nothingYet } from '../../domain/evidence/wire/stream-part.ts';
import type { AskOne } from '../../functions/evidence/run-cases.ts';
import { anthropicEvents, type FakeEngine, openAiEvents, readAsked, type Said, say } from './fake-model.ts';

/** A fake engine without a socket, its answers in the events of the protocol all the same: for thousands of requests. */
export function askDirectly(engine: FakeEngine): AskOne {
  return async (protocol, ask) => {
    const wire = protocolWires[protocol];
    const said = inChunks(say(engine, readAsked(wire.body('m', ask))));
    const events = protocol === 'OpenAI' ? openAiEvents(said) : anthropicEvents(said);
    const parts = events.map((event) => wire.read(parseEvent(JSON.stringify(event)) ?? {}));
    return wire.complete(endAnswer(parts.reduce(addPart, nothingYet), { firstPartMillis: 1, totalMillis: 2 }));
  };
}

/** Servers may send a few tokens at once; here it saves most of the time. */
function inChunks(said: Said): Said {
  const { pieces } = said;
  const chunks = Array.from({ length: Math.ceil(pieces.length / 8) }, (_, index) =>
    pieces.slice(index * 8, index * 8 + 8).join(''),
  );
  return { ...said, pieces: chunks };
}
