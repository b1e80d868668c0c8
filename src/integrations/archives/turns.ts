/**
 * Turns of archives. Those that are written and read here come one after the other (`ARCHIVES_QUEUE`), so an archive gives way to the others when there is
 * more of it than a turn: it begins again among the large ones, which have a queue of their own.
 */

/** Bytes of an archive, unpacked, that are one turn: seconds of work. */
export const TURN_BYTES = 16 * 1024 * 1024

/** There is more of an archive than its turn. */
export class BeyondTurn extends Error {
  override name = 'BeyondTurn'
}

/** Counts what one archive is allowed before it gives way. */
export class Turn {
  #left: number

  /** @param bytes any number by default */
  constructor(bytes = Number.POSITIVE_INFINITY) {
    this.#left = bytes
  }

  /** @throws BeyondTurn where these bytes are more than what is left */
  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new BeyondTurn()
  }
}

/** How the work of an archive is asked for: `large` where it has given way before. */
export interface MaybeLarge {
  readonly large?: boolean | undefined
}

/** The turn of a task: all it needs where it is among the large ones. */
export const turnOf = ({ large }: MaybeLarge, bytes: number | undefined): Turn => new Turn(large ? undefined : bytes)

/** The bytes of a stream, counted. @throws BeyondTurn */
export async function* counted(stream: AsyncIterable<Uint8Array>, turn: Turn): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of stream) {
    turn.take(chunk.length)
    yield chunk
  }
}
