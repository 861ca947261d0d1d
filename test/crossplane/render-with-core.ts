import { type CoreRequest, type CoreResponse, decodeResponse, encodeRequest } from './render-messages.ts';
import { runProgram } from './run-program.ts';

/** Exit code of `internal render` when a step answered fatal; the partial output is still there. */
const fatalExitCode = 3;

export interface CoreAnswer extends CoreResponse {
  /** What the fatal step said. */
  readonly fatal?: string;
}

/** One reconcile of an XR by the real core. Throws with what core said when it could not reconcile. */
export async function renderWithCore(binary: string, request: CoreRequest): Promise<CoreAnswer> {
  const { code, stdout, stderr } = await runProgram(binary, ['internal', 'render'], encodeRequest(request));
  if (code === 0) return decodeResponse(stdout);
  if (code === fatalExitCode) return { ...decodeResponse(stdout), fatal: stderr };
  throw new Error(`Cannot render ${request.xr.kind} with crossplane-core: ${stderr}`);
}
