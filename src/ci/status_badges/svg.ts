/** A badge as SVG: a grey half that says what it is about, and a coloured one with the value. Pure. */
import { html } from '../../platform/pages/html.ts'

/** The colours of values, dark enough for white text. */
export const colors = { good: '#2b8a3e', fair: '#5c7c0f', middling: '#9a6700', bad: '#c92a2a', unknown: '#6e7781' } as const

export interface StatusBadge {
  readonly key: string
  /** Of its half in px; default: what the text needs. */
  readonly keyWidth?: number | undefined
  readonly value: string
  readonly color: (typeof colors)[keyof typeof colors]
  readonly style?: 'flat' | 'flat-square'
}

const HEIGHT = 20
const PADDING = 6
/** Widths of characters at 11 px, nearly; `textLength` makes any font keep to them. */
const widthOf = (character: string): number =>
  /[iIjl.,:;!'|]/.test(character) ? 3.4 : /[frt() -]/.test(character) ? 4.4 : /[mwMW%]/.test(character) ? 10 : 6.8

const lengthOf = (text: string): number => Math.round([...text].reduce((sum, character) => sum + widthOf(character), 0))

/** The badge as a document. */
export function statusSvg({ key, keyWidth, value, color, style = 'flat' }: StatusBadge): string {
  const left = keyWidth ?? lengthOf(key) + 2 * PADDING
  const right = lengthOf(value) + 2 * PADDING
  const words = (text: string, from: number, width: number) =>
    html`<text x="${from + width / 2}" y="14" textLength="${Math.max(1, Math.min(lengthOf(text), width - PADDING))}" lengthAdjust="spacingAndGlyphs">${text}</text>`
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${key}: ${value}"><title>${key}: ${value}</title><clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="${style === 'flat' ? 3 : 0}"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#444c56"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${color}"/></g><g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11">${words(key, 0, left)}${words(value, left, right)}</g></svg>
`.text
}
