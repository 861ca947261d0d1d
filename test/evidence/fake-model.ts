/** A model that answers the questions of the built-in cases right, and an engine around it that does one thing wrong. */
import { isRecord, readList, readNumber, readPath, readString } from '../../domain/kubernetes/object.ts';

/** What a fake engine does wrong; each kind stands for a defect that was seen in a real one. */
export const faults = [
  'clean',
  'drops-argument',
  'cuts-stream',
  'copies-49',
  'wrong-30',
  'garbles-tool-names',
  'merges-calls',
  'drops-second-call',
  'ignores-stop',
  'forgets-system-prompt',
  'forgets-context',
  'reports-usage-wrong',
  'reports-no-usage',
  'breaks-json',
  'empty-arguments-as-nothing',
  'drops-part-of-stream',
  'answers-in-one-piece',
  'refuses',
  'hangs',
] as const;
export type FaultKind = (typeof faults)[number];

export interface FakeEngine {
  readonly fault: FaultKind;
  /** Between 0 and 1, for the kind that is wrong now and then. */
  readonly chance: () => number;
}

/** A request as both protocols mean it. */
export interface Asked {
  readonly system: string;
  readonly prompt: string;
  readonly tool: string | undefined;
  readonly stop: string | undefined;
  readonly mostTokens: number;
}

export interface Said {
  /** The answer in pieces that stand for tokens. */
  readonly pieces: readonly string[];
  readonly calls: readonly { readonly name: string; readonly argumentsText: string }[];
  readonly finish: 'Stop' | 'Length' | 'ToolCalls' | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

/** The body of a request in the words of either protocol. */
export function readAsked(body: unknown): Asked {
  const messages = readList(body, ['messages']).filter(isRecord);
  const contentOf = (role: string) => String(messages.find((message) => message.role === role)?.content ?? '');
  const [tool] = readList(body, ['tools']);
  return {
    system: readString(body, ['system']) ?? contentOf('system'),
    prompt: contentOf('user'),
    tool: readString(tool, ['function', 'name']) ?? readString(tool, ['name']),
    stop: [...readList(body, ['stop']), ...readList(body, ['stop_sequences'])].map(String)[0],
    mostTokens: readNumber(body, ['max_tokens']) ?? 16,
  };
}

/** What the engine says to a request. */
export function say(engine: FakeEngine, asked: Asked): Said {
  const calls = spoil(engine, callsOf(asked));
  const text = calls.length > 0 ? '' : textOf(engine, asked);
  const stopped = asked.stop === undefined || engine.fault === 'ignores-stop' ? text : before(text, asked.stop);
  const all = stopped.match(/[\s\S]{1,4}/g) ?? [];
  const pieces = all.slice(0, asked.mostTokens);
  const isCut = pieces.length < all.length;
  const outputTokens = pieces.length + calls.reduce((sum, call) => sum + Math.ceil(call.argumentsText.length / 4), 0);
  return {
    ...spoilStream(engine, pieces),
    calls,
    ...(engine.fault === 'cuts-stream' && pieces.length > 100
      ? { pieces: pieces.slice(0, 100), finish: undefined }
      : { finish: calls.length > 0 ? 'ToolCalls' : isCut ? 'Length' : 'Stop' }),
    usage: usageOf(engine, { inputTokens: Math.ceil(asked.prompt.length / 4) + 12, outputTokens }),
  };
}

function spoilStream({ fault }: FakeEngine, pieces: readonly string[]): Pick<Said, 'pieces'> {
  if (fault === 'answers-in-one-piece') return { pieces: [pieces.join('')] };
  return { pieces: fault === 'drops-part-of-stream' ? pieces.filter((_, index) => index % 97 !== 96) : pieces };
}

function usageOf({ fault }: FakeEngine, usage: { inputTokens: number; outputTokens: number }): Said['usage'] {
  if (fault === 'reports-no-usage') return undefined;
  return fault === 'reports-usage-wrong' ? { ...usage, outputTokens: usage.outputTokens * 2 } : usage;
}

function before(text: string, stop: string): string {
  const at = text.indexOf(stop);
  return at === -1 ? text : text.slice(0, at);
}

function numbers(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}`).join('\n');
}

function textOf(engine: FakeEngine, { prompt, system }: Asked): string {
  if (prompt.startsWith('Copy this list')) return copy(engine, prompt.split('\n\n')[1] ?? '');
  const [, last] = /Count from 1 to (\d+)/.exec(prompt) ?? [];
  const [, mark] = /write END (\d+)/.exec(prompt) ?? [];
  if (last !== undefined) return `${numbers(Number(last))}${mark === undefined ? '' : `\nEND ${mark}`}`;
  const [, safe = '0'] = /number of the safe is (\d+)/.exec(prompt) ?? [];
  if (prompt.includes('number of the safe')) return engine.fault === 'forgets-context' ? 'I see none.' : safe;
  const [, desk] = /desk (QX-\d+)/.exec(system) ?? [];
  if (desk !== undefined) return `It is the capital.\n${engine.fault === 'forgets-system-prompt' ? '' : desk}`;
  return `OK. ${prompt.length} characters were read.`;
}

function copy({ fault, chance }: FakeEngine, list: string): string {
  const isWrong = fault === 'copies-49' || (fault === 'wrong-30' && chance() < 0.3);
  return isWrong ? list.split('\n').toSpliced(30, 1).join('\n') : list;
}

function callsOf({ prompt, tool }: Asked): Said['calls'] {
  if (tool === undefined) return [];
  const call = (values: unknown) => ({ name: tool, argumentsText: JSON.stringify(values) });
  const [, city, guest, nights] = /room in (\w+) for ([\w ]+), for (\d+) nights/.exec(prompt) ?? [];
  if (city !== undefined) return [call({ city, nights: Number(nights), guest, breakfast: true })];
  const [, path, content] = /marks as (\S+), unchanged[\s\S]*<<<\n([\s\S]*)\n>>>/.exec(prompt) ?? [];
  if (path !== undefined) return [call({ path, content })];
  const [, one, other] = /weather in (\w+) and in (\w+)/.exec(prompt) ?? [];
  if (one !== undefined) return [call({ city: one }), call({ city: other })];
  const [, single] = /weather in (\w+)/.exec(prompt) ?? [];
  return [call(single === undefined ? {} : { city: single })];
}

function spoil({ fault }: FakeEngine, calls: Said['calls']): Said['calls'] {
  const [first] = calls;
  if (first === undefined) return calls;
  const rest = calls.slice(1);
  const values = JSON.parse(first.argumentsText) as Record<string, unknown>;
  switch (fault) {
    case 'drops-argument':
      return [{ ...first, argumentsText: JSON.stringify(withoutLast(values)) }, ...rest];
    case 'garbles-tool-names':
      return [{ ...first, name: `${first.name}${first.name}` }, ...rest];
    case 'merges-calls':
      return [{ ...first, argumentsText: calls.map(({ argumentsText }) => argumentsText).join('') }];
    case 'drops-second-call':
      return [first];
    case 'breaks-json':
      return [{ ...first, argumentsText: first.argumentsText.replaceAll('\\"', '"') }, ...rest];
    case 'empty-arguments-as-nothing':
      return Object.keys(values).length === 0 ? [{ ...first, argumentsText: '' }] : calls;
    default:
      return calls;
  }
}

function withoutLast(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).slice(0, -1));
}

/** The events of an answer over OpenAI's protocol. */
export function openAiEvents({ pieces, calls, finish, usage }: Said): readonly unknown[] {
  const delta = (value: unknown, reason: string | null = null) => ({
    choices: [{ index: 0, delta: value, finish_reason: reason }],
  });
  const reasons = { Stop: 'stop', Length: 'length', ToolCalls: 'tool_calls' };
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces.map((content) => delta({ content })),
    ...calls.flatMap(({ name, argumentsText }, index) => [
      delta({ tool_calls: [{ index, id: `call-${index}`, type: 'function', function: { name, arguments: '' } }] }),
      ...(argumentsText.match(/[\s\S]{1,40}/g) ?? []).map((part) =>
        delta({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    ...(finish === undefined ? [] : [delta({}, reasons[finish])]),
    ...(finish === undefined || usage === undefined
      ? []
      : [{ choices: [], usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }]),
  ];
}

/** The events of an answer over Anthropic's protocol. */
export function anthropicEvents({ pieces, calls, finish, usage }: Said): readonly unknown[] {
  const reasons = { Stop: 'end_turn', Length: 'max_tokens', ToolCalls: 'tool_use' };
  const started = usage === undefined ? {} : { usage: { input_tokens: usage.inputTokens, output_tokens: 1 } };
  const ended = usage === undefined ? {} : { usage: { output_tokens: usage.outputTokens } };
  return [
    { type: 'message_start', message: { role: 'assistant', content: [], ...started } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    ...calls.flatMap(({ name, argumentsText }, place) => [
      { type: 'content_block_start', index: place + 1, content_block: { type: 'tool_use', id: 't', name, input: {} } },
      ...(argumentsText === '{}' ? [] : (argumentsText.match(/[\s\S]{1,40}/g) ?? [])).map((part) => ({
        type: 'content_block_delta',
        index: place + 1,
        delta: { type: 'input_json_delta', partial_json: part },
      })),
    ]),
    ...(finish === undefined
      ? []
      : [{ type: 'message_delta', delta: { stop_reason: reasons[finish] }, ...ended }, { type: 'message_stop' }]),
  ];
}

/** The key that a request has, by either protocol. */
export function keyOf(headers: unknown): string | undefined {
  const bearer = readString(headers, ['authorization'])?.replace(/^Bearer /, '');
  return bearer ?? String(readPath(headers, ['x-api-key']) ?? '');
}
