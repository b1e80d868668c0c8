/** AsciiDoc as safe HTML. Loaded by the worker thread alone: the converter is large, and some texts take it long. */
import { convert } from '@asciidoctor/core'
import { sanitize } from './sanitize.ts'

/** The text as HTML. Nothing is included, and no address is fetched: `secure` mode. */
export const asciidocHtml = async (text: string): Promise<string> =>
  sanitize(String(await convert(text, { safe: 'secure', standalone: false, attributes: { showtitle: true, 'source-highlighter': null } })))
