/** HTML as a tagged template: every value is escaped unless it is HTML already, so a page cannot forget to. */

/** What is kept stands in a page as the bytes that are sent. */
type Piece = string | Buffer

const bytesOf = (piece: Piece): Buffer => (typeof piece === 'string' ? Buffer.from(piece) : piece)

/** A piece of HTML that is safe to send: `html` makes it, and what sanitised a text declares it. */
export class Html {
  /** Its text; where something that is kept stands in it, the pieces of it in order. */
  readonly content: string | readonly Piece[]

  constructor(content: string | readonly Piece[]) {
    this.content = content
  }

  get text(): string {
    return typeof this.content === 'string' ? this.content : this.content.map(String).join('')
  }

  /** As it is sent: UTF-8. */
  get bytes(): Buffer {
    return typeof this.content === 'string' ? Buffer.from(this.content) : Buffer.concat(this.content.map(bytesOf))
  }

  /** HTML that was sanitised (rendered Markdown) or made by a library that escapes (highlighted code). Tests list the callers. */
  static trusted(text: string): Html {
    return new Html(text)
  }
}

/** What may stand in a template: text is escaped, HTML is not, lists are joined, false, null and undefined are nothing. */
export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[]

/** Text as it must stand in HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  // Most texts have nothing to escape, and a page has thousands of them.
  /[&<>"']/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    : text

/** The pieces before the text that is being written, of the one template that is being written. */
let before: Piece[] = []

/** Writes a value behind `text`. Returns the text since the last piece that is kept. */
function write(text: string, value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return text
  if (value instanceof Html)
    return typeof value.content === 'string' ? text + value.content : value.content.reduce<string>(writePiece, text)
  if (typeof value !== 'object') return text + escapeHtml(String(value))
  let written = text
  for (const item of value) written = write(written, item)
  return written
}

function writePiece(text: string, piece: Piece): string {
  if (typeof piece === 'string') return text + piece
  if (text !== '') before.push(text)
  before.push(piece)
  return ''
}

/** A piece of HTML. Attributes must be quoted: html`<a href="${address}">${name}</a>`. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  // A template that could not be written has left its pieces.
  if (before.length > 0) before = []
  let text = parts[0] as string
  for (let index = 0; index < values.length; index++) text = write(text, values[index]) + (parts[index + 1] as string)
  if (before.length === 0) return new Html(text)
  const pieces = [...before, text]
  before = []
  return new Html(pieces)
}

/** Less than so many bytes are kept as a text. */
const FEW = 4_096

/**
 * The same HTML for what is kept. A text that was put together from thousands of pieces is copied piece by piece whenever a page with it is sent, and as two
 * bytes a letter where one letter of the page is not Latin: the bytes that are sent are made once.
 */
export function inOnePiece(made: Html): Html {
  const { bytes } = made
  return new Html(bytes.length < FEW ? bytes.toString() : [bytes])
}

/**
 * HTML that is kept, and differs by one text. Returns what makes the HTML with a text in it.
 * @param mark stands for the text in the HTML: nothing else may look like it, and escaping must leave it as it is
 */
export function keptAround(made: Html, mark: string): (text: string) => Html {
  const [first = '', ...others] = made.text.split(mark).map(part => Buffer.from(part))
  return text => {
    const filled = Buffer.from(escapeHtml(text))
    return new Html([first, ...others.flatMap(part => [filled, part])])
  }
}
