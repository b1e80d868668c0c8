/** Jupyter notebooks (nbformat 4): their cells with what is shown of their outputs. Nothing of them is run. Pure. */
import { type JsonBounds, parseJson } from '../../../../platform/bounded_json.ts'

/** Cells, outputs of a cell, and characters of a text of one that are shown. */
const MOST_CELLS = 200
const MOST_OUTPUTS = 20
const MOST_TEXT = 20_000

export type NotebookOutput =
  | { readonly kind: 'text' | 'error'; readonly text: string }
  /** `data`: base64. */
  | { readonly kind: 'picture'; readonly type: 'image/png' | 'image/jpeg'; readonly data: string }

export interface NotebookCell {
  readonly kind: 'markdown' | 'code' | 'raw'
  readonly source: string
  readonly outputs: readonly NotebookOutput[]
}

export interface Notebook {
  /** Of its code. */
  readonly language: string
  readonly cells: readonly NotebookCell[]
  /** There are more cells than these. */
  readonly isCut: boolean
}

export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path)

type Json = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Texts stand as one, or as a list of lines. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .filter(line => typeof line === 'string')
        .join('')

/** A notebook; undefined for a text that is none. */
export function readNotebook(text: string): Notebook | undefined {
  let json: Json
  try {
    json = objectOf(parseJson(text, bounds))
  } catch {
    return undefined
  }
  if (!Array.isArray(json.cells)) return undefined
  const { kernelspec, language_info } = objectOf(json.metadata)
  const named = objectOf(language_info).name ?? objectOf(kernelspec).language
  const language = typeof named === 'string' && /^[\w+-]{1,30}$/.test(named) ? named.toLowerCase() : 'python'
  return { language, cells: json.cells.slice(0, MOST_CELLS).map(cellOf), isCut: json.cells.length > MOST_CELLS }
}

/** Notebooks have long lists of numbers, and lists within each other that no cell needs. */
const bounds: JsonBounds = { depth: 200, values: 500_000, keys: 10_000 }

function cellOf(value: unknown): NotebookCell {
  const { cell_type, source, outputs } = objectOf(value)
  return {
    kind: cell_type === 'markdown' || cell_type === 'code' ? cell_type : 'raw',
    source: textOf(source),
    outputs: listOf(outputs).slice(0, MOST_OUTPUTS).flatMap(outputOf),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what the colours of terminals begin with
const colours = /\u001b\[[0-9;]*m/g

const plain = (text: string): string => text.slice(0, MOST_TEXT).replace(colours, '')

/** What is shown of an output: a picture, else its text; HTML and scripts are not. */
function outputOf(value: unknown): NotebookOutput[] {
  const { output_type, text, data, traceback, evalue } = objectOf(value)
  if (output_type === 'error') {
    const lines = listOf(traceback).filter(line => typeof line === 'string')
    return [{ kind: 'error', text: plain(lines.length > 0 ? lines.join('\n') : textOf(evalue)) }]
  }
  if (output_type === 'stream') return [{ kind: 'text', text: plain(textOf(text)) }]
  const shown = objectOf(data)
  for (const type of ['image/png', 'image/jpeg'] as const) {
    const bytes = textOf(shown[type]).replace(/\s/g, '')
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(bytes)) return [{ kind: 'picture', type, data: bytes }]
  }
  const said = plain(textOf(shown['text/plain']))
  return said === '' ? [] : [{ kind: 'text', text: said }]
}
