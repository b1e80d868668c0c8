/** Requests of the API that make what is measured. */

/** Who asks: nobody, or the bearer of a token. */
export interface Caller {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly token?: string
  readonly signal?: AbortSignal | undefined
}

/** Asks and reads JSON. @throws Error for refusals, with what was answered */
export async function call<T>(
  { url, token, signal }: Caller,
  method: string,
  path: string,
  body: object = {},
): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { 'private-token': token }) },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await answer.text()
  if (answer.status >= 400) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
}
