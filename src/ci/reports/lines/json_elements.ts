/** The elements of a JSON array, one at a time: reports are larger than what should be in memory as objects. */

/** The text is no array of JSON, or one of its elements is too long. */
export class UnfitJson extends Error {
  override name = 'UnfitJson'
}

/** Bytes of an element. */
const MOST = 256 * 1024

const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** The elements of the array that the pieces are together. @throws UnfitJson */
export async function* elementsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  const scan = new Scan()
  for await (const piece of pieces) yield* scan.elementsIn(piece)
  if (!scan.isOver) throw new UnfitJson('the report ends within its array')
}

/** Finds where elements begin and end; what they are is for the parser of the language. */
class Scan {
  #depth = 0
  #isText = false
  #isEscaped = false
  /** Of the element that is being read. */
  #parts: Buffer[] = []
  #length = 0
  /** Has the array ended? */
  isOver = false;

  *elementsIn(piece: Buffer): Generator<unknown> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      if (this.#isText) this.#inText(byte)
      else if (byte === QUOTE) this.#isText = true
      else if (this.#depth === 0) {
        if (this.#opens(byte)) from = at + 1
      } else if (this.#depth === 1 && (byte === COMMA || byte === CLOSE_LIST)) {
        this.#take(piece.subarray(from, at))
        yield* this.#element(byte === COMMA)
        from = at + 1
        if (byte === CLOSE_LIST) this.#close()
      } else if (byte === OPEN_LIST || byte === OPEN_MAP) this.#depth++
      else if (byte === CLOSE_LIST || byte === CLOSE_MAP) this.#depth--
    }
    if (this.#depth > 0) this.#take(piece.subarray(from))
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === ESCAPE) this.#isEscaped = true
    else if (byte === QUOTE) this.#isText = false
  }

  /** Outside of the array: does it begin? A byte order mark may stand before it. */
  #opens(byte: number): boolean {
    if (byte === OPEN_LIST && !this.isOver) this.#depth = 1
    else if (!isSpace(byte) && (this.isOver || ![0xef, 0xbb, 0xbf].includes(byte))) throw new UnfitJson('the report is no array of JSON')
    return this.#depth === 1
  }

  #close(): void {
    this.#depth = 0
    this.isOver = true
  }

  #take(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MOST) throw new UnfitJson('an entry of the report is too long')
    this.#parts.push(part)
  }

  *#element(isFollowed: boolean): Generator<unknown> {
    const text = Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#length = 0
    if (!isFollowed && text.trim() === '') return
    try {
      yield JSON.parse(text)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new UnfitJson('the report is no array of JSON', { cause: error })
    }
  }
}
