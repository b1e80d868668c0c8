/** A text that administrators write for all, as it is: its paragraphs and lines, no markup. */
import { type Html, html } from '../html.ts'

/** The paragraphs of a text; nothing where it is empty. */
export const plainText = (text: string | null): Html =>
  html`${(text ?? '')
    .split(/\n[ \t]*\n/)
    .filter(paragraph => paragraph.trim() !== '')
    .map(
      paragraph =>
        html`<p>${paragraph
          .trim()
          .split('\n')
          .map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`,
    )}`
