/** Thrown for bytes that are no RunFunctionRequest, as soon as somebody reads them. */
export class UndecodableRequest extends Error {
  constructor(why: string) {
    super(`Cannot decode the request: ${why}`);
  }
}
