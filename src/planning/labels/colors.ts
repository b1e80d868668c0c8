/** Colours of labels: notation, and a readable text colour. */
import { cssColors } from './css_colors.ts'

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The hexadecimal notation of a colour, unchanged if it is one; undefined for an invalid colour. */
export function hexColor(text: string): string | undefined {
  const color = text.trim()
  return HEX.test(color) ? color : Object.hasOwn(cssColors, color.toLowerCase()) ? cssColors[color.toLowerCase()] : undefined
}

const DARK_TEXT = '#333333'
const LIGHT_TEXT = '#FFFFFF'

/** The text colour of a label: dark if red, green and blue of the background, 0 to 255 each, sum up to more than 500. */
export function textColor(color: string): string {
  const digits = color.length === 4 ? [...color.slice(1)].map(digit => digit + digit) : (color.slice(1).match(/../g) ?? [])
  return digits.reduce((sum, pair) => sum + Number.parseInt(pair, 16), 0) > 500 ? DARK_TEXT : LIGHT_TEXT
}
