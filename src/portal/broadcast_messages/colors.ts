/**
 * Colours that administrators choose, on pages whose policy refuses styles in the document: a style sheet for each pair of colours, which follows
 * from its address alone, so browsers keep it.
 */

/** A pair as it is shown, six hexadecimal digits each. */
export interface Colors {
  readonly background: string
  readonly text: string
}

/** Contrast of text that WCAG asks for. */
const READABLE = 4.5

const digitsOf = (color: string): string => {
  const digits = color.slice(1).toLowerCase()
  return digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits
}

/** Relative luminance as WCAG defines it, 0 to 1. */
function luminance(digits: string): number {
  const [red = 0, green = 0, blue = 0] = (digits.match(/../g) ?? []).map(pair => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The colours of a message. A text that could not be read on its background is black or white instead. */
export function shownColors({ color, font }: { readonly color: string; readonly font: string }): Colors {
  const background = digitsOf(color)
  const wanted = digitsOf(font)
  if (contrast(background, wanted) >= READABLE) return { background, text: wanted }
  return { background, text: contrast(background, '000000') >= contrast(background, 'ffffff') ? '000000' : 'ffffff' }
}

/** The name of a pair: `e75e40-000000`. */
export const colorsName = ({ background, text }: Colors): string => `${background}-${text}`

/** The style sheet of the pair with this name, for the class `broadcast-<name>`; undefined where it names none. */
export function colorSheet(name: string): string | undefined {
  const [, background, text] = /^([0-9a-f]{6})-([0-9a-f]{6})\.css$/.exec(name) ?? []
  return background === undefined || text === undefined
    ? undefined
    : `.broadcast-${background}-${text} { background: #${background}; color: #${text}; }\n`
}
