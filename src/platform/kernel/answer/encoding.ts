/** Content codings of answers that are kept compressed (RFC 9110 section 12.5.3). */

export type Encoding = 'br' | 'gzip' | 'identity'

/** The best coding that an `Accept-Encoding` header takes; of equal ones the smallest. Where it takes none of ours, the bytes as they are. */
export function encodingFor(header: string | undefined): Encoding {
  const wanted = new Map<string, number>()
  for (const part of (header ?? '').split(',').slice(0, 20)) {
    const [name = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase())
    const [, weight] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.find(parameter => parameter.startsWith('q=')) ?? '') ?? []
    wanted.set(name, weight === undefined ? 1 : Number(weight))
  }
  const weightOf = (encoding: Encoding) => wanted.get(encoding) ?? wanted.get('*') ?? 0
  const [best] = (['br', 'gzip'] as const).filter(encoding => weightOf(encoding) > 0).sort((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) >= (wanted.get('identity') ?? 0) ? best : 'identity'
}
