/**
 * Runs in a thread: sets formulas as MathML, which is held against an allowlist. A short formula may keep the library busy for ever, since commands can be
 * defined, and some double with each level what is made: the caller ends the thread then. Pages allow no inline styles: those of the library become attributes, or classes (`client/styles/math.css`).
 */
import sanitizeHtml from 'sanitize-html'
import temml from 'temml'

/** A formula as it is written. */
export interface Formula {
  readonly source: string
  /** It stands by itself, and not in a line of text. */
  readonly isDisplayed: boolean
}

/** Safe MathML, or why there is none, in a few words. */
export type SetFormula = { readonly math: string } | { readonly reason: string }

/** Characters of one formula. */
export const FORMULA_LENGTH = 2_000
/** Formulas of one text, and characters of all of them together. */
export const MOST_FORMULAS = 1_000
const FORMULAS_LENGTH = 30_000
/** Characters of MathML that one formula may become, and all of a text together. */
const MOST_MATHML = 200_000
const MOST_TOGETHER = 2_000_000
/** Microseconds of a processor that the formulas of one text may take; those that come later are not set. */
const MOST_TIME = 1_500_000

class FormulaRefused extends Error {
  override name = 'FormulaRefused'
}

/** The formulas of a text, in order. */
export default function setFormulas(formulas: readonly Formula[]): readonly SetFormula[] {
  let [length, made] = [0, 0]
  const began = process.threadCpuUsage()
  const isLate = () => process.threadCpuUsage(began).user > MOST_TIME
  return formulas.map(({ source, isDisplayed }, index) => {
    if (source.length > FORMULA_LENGTH) return { reason: 'it is too long' }
    length += source.length
    if (index >= MOST_FORMULAS || length > FORMULAS_LENGTH || made > MOST_TOGETHER || isLate())
      return { reason: 'the text has too many formulas' }
    try {
      const math = mathml(source, isDisplayed)
      made += math.length
      return { math }
    } catch (error) {
      if (error instanceof FormulaRefused) return { reason: error.message }
      throw error
    }
  })
}

/** Spaces and rules may be as long as 20 em; commands are expanded as often as this. */
const bounds = { trust: false, throwOnError: true, maxSize: [20, 20] as [number, number], maxExpand: 1_000 }

/** @throws FormulaRefused */
function mathml(source: string, isDisplayed: boolean): string {
  const made = sanitizeHtml(written(source, isDisplayed), allowed)
  if (made.length > MOST_MATHML) throw new FormulaRefused('it is too large')
  return made
}

function written(source: string, displayMode: boolean): string {
  let made: string
  try {
    made = temml.renderToString(source, { ...bounds, displayMode, wrap: displayMode ? 'none' : 'tex' })
  } catch (error) {
    throw new FormulaRefused(reasonOf(error), { cause: error })
  }
  // Before it is parsed again: the allowlist shortens it little.
  if (made.length > 2 * MOST_MATHML) throw new FormulaRefused('it is too large')
  return made
}

/** What the parser says, up to the place in the source, which follows it. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply'
  const said = error instanceof Error ? (error.message.split(/ at position | at end of input|\n/)[0] ?? '') : ''
  return said.trim().slice(0, 100)
}

const elements = [
  ...['math', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mstyle', 'mfrac', 'msqrt', 'mroot', 'mpadded', 'mphantom', 'menclose'],
  ...['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'none', 'mtable', 'mtr', 'mtd'],
]

const attributes = [
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'mathsize', 'mathcolor', 'mathbackground', 'class'],
  ...['fence', 'form', 'stretchy', 'symmetric', 'largeop', 'movablelimits', 'separator', 'lspace', 'rspace', 'minsize', 'maxsize'],
  ...['width', 'height', 'depth', 'voffset', 'linethickness', 'accent', 'accentunder', 'notation', 'columnalign', 'columnspan', 'rowspan'],
]

const color = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30})$/i

/** The class for a declaration that the library writes; undefined for one that is left out. */
function classFor(property: string, value: string): string | undefined {
  const side = /^(?:padding|border)-(left|right|top|bottom)$/.exec(property)?.[1]
  if (side && property.startsWith('border')) return `math-line-${side}`
  if (side === 'left' || side === 'right') {
    const width = Number.parseFloat(value)
    if (width === 0) return `math-tight-${side}`
    return value === '1em' ? `math-apart-${side}` : undefined
  }
  return classes[`${property}:${value}`] ?? (property === 'border' ? 'math-box' : undefined)
}

const classes: Readonly<Record<string, string>> = {
  'width:100%': 'math-wide',
  'width:50%': 'math-half',
  'padding:0': 'math-tight',
  'font-weight:bold': 'math-bold',
  'text-align:left': 'tml-left',
}

/** The attributes without `style`. */
function unstyled({ style, class: given, ...rest }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const declared = (style ?? '').split(';').flatMap(declaration => {
    const [property = '', ...values] = declaration.split(':')
    const value = values.join(':').trim()
    return /^[a-z-]+$/.test(property.trim()) && value !== '' ? [{ property: property.trim(), value }] : []
  })
  const shade = declared.find(({ property, value }) => property === 'color' && color.test(value))
  const own = declared.flatMap(({ property, value }) => classFor(property, value) ?? [])
  const all = [...(given ? [given] : []), ...own]
  return { ...rest, ...(shade ? { mathcolor: shade.value } : {}), ...(all.length > 0 ? { class: all.join(' ') } : {}) }
}

const allowed: sanitizeHtml.IOptions = {
  allowedTags: elements,
  allowedAttributes: { '*': attributes },
  allowedClasses: {
    '*': [
      ...['math-line-*', 'math-tight', 'math-tight-*', 'math-apart-*', 'math-box', 'math-wide', 'math-half', 'math-bold'],
      ...[
        'tml-left',
        'tml-right',
        'tml-jot',
        'tml-small',
        'tml-cancel',
        'tml-xcancel',
        'upstrike',
        'downstrike',
        'sout',
        'chr-*',
        'tml-*-pad',
      ],
      ...['tml-overline', 'tml-underline', 'tml-vec', 'tml-tilde-*', 'tml-hat-*', 'tml-fbox'],
    ],
  },
  transformTags: { '*': (tagName, given) => ({ tagName, attribs: unstyled(given) }) },
  nestingLimit: 400,
}
