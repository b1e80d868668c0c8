/** The colour of a label in its forms: one of a palette, or any other. */
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { html } from '../../platform/pages/html.ts'
import { labelDot } from '../items/labels_view.ts'

/** Colours that differ from each other, on light and on dark grounds. */
const palette = [
  ['#cf222e', 'Red'],
  ['#bc4c00', 'Orange'],
  ['#bf8700', 'Amber'],
  ['#4d8f00', 'Green'],
  ['#1a7f64', 'Teal'],
  ['#1b7c83', 'Cyan'],
  ['#0969da', 'Blue'],
  ['#5a5fd6', 'Indigo'],
  ['#8250df', 'Violet'],
  ['#bf3989', 'Pink'],
  ['#8b5e3c', 'Brown'],
  ['#6e7781', 'Grey'],
] as const

const inPalette = (color: string): boolean => palette.some(([value]) => value === color.toLowerCase())

/** What the forms ask for. */
export const colorParams = {
  swatch: optional(text('One of the palette', { maxLength: 7 })),
  color: text('Another colour', { maxLength: 40, examples: ['#d73a4a'] }),
}

export const colorFields: readonly FieldSpec[] = [
  {
    name: 'swatch',
    label: 'Colour',
    control: 'swatches',
    hint: '',
    choices: [...palette.map(([value, name]) => [value, html`${labelDot(value, 20)}<span>${name}</span>`] as const), ['', 'Another']],
  },
  { name: 'color', label: 'Another colour', control: 'color', hint: '' },
]

/** What the forms show for a colour. */
export const colorValues = (color: string) => ({ swatch: inPalette(color) ? color.toLowerCase() : '', color })

/** The parameters of the API for what was chosen. */
export function labelColor({ swatch, ...params }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return swatch ? { ...params, color: swatch } : params
}
