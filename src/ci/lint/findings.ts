/** The messages about a CI file, with the lines that they are about. Pure. */
import { type CheckedConfig, lineFinder } from '../config/index.ts'

/** A message, with the line of the text that it is about, from 1, where that is known: not for what an included file says. */
export interface Finding {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly line?: number | undefined
  /** What may be meant. */
  readonly hint?: string | undefined
}

/** The messages of a check of `text`, errors first. */
export function findingsIn(
  text: string,
  { errors, warnings, places, hints }: Pick<CheckedConfig, 'errors' | 'warnings' | 'places' | 'hints'>,
): Finding[] {
  if (errors.length + warnings.length === 0) return []
  const find = lineFinder(text)
  const lineOf = (message: string): number | undefined => {
    const syntax = /^\.gitlab-ci\.yml: .* at line (\d+), column \d+$/s.exec(message)
    if (syntax) return Number(syntax[1])
    const keys = keysOf(message, places)
    if (keys) return find(keys) ?? find([nameInFile(keys[0] ?? ''), ...keys.slice(1)])
    return isAboutInclude(message) ? includeLine(text, message, find(['include'])) : undefined
  }
  const finding = (severity: Finding['severity']) => (message: string) => ({
    severity,
    message,
    line: lineOf(message),
    hint: hints.get(message),
  })
  return [...errors.map(finding('error')), ...warnings.map(finding('warning'))]
}

/** Messages about jobs among each other name the job first, and these words name the key. */
const keysByWord: readonly (readonly [RegExp, string])[] = [
  [/^chosen stage/, 'stage'],
  [/^(undefined )?need\b/, 'needs'],
  [/^(undefined )?dependenc/, 'dependencies'],
  [/^on_stop/, 'environment'],
]

function keysOf(message: string, places: CheckedConfig['places']): readonly string[] | undefined {
  const place = places.get(message)
  // Jobs stand at the top level of a file.
  if (place) return place[0] === 'jobs' || place[0] === 'root' ? place.slice(1) : place
  const [, open] = /^jobs:(.+) may allow multiple pipelines/s.exec(message) ?? []
  if (open !== undefined) return [open, 'rules']
  const [, needing] = /^'(.+?)' job needs '/s.exec(message) ?? []
  if (needing !== undefined) return [needing, 'needs']
  const [, job, rest = ''] = /^(.+?) job: (.*)$/s.exec(message) ?? []
  if (job === undefined) return undefined
  const key = keysByWord.find(([words]) => words.test(rest))?.[1]
  return [job, ...(key === undefined ? [] : [key])]
}

/** The name that a copy of a job (`parallel`) has in the file. */
function nameInFile(name: string): string {
  const values = name.endsWith(']') ? name.indexOf(': [') : -1
  return values < 0 ? name.replace(/ \d+\/\d+$/, '') : name.slice(0, values)
}

const isAboutInclude = (message: string): boolean =>
  /^(Local file|Remote file|Included file|Include|Each include|include|No file matches|Project|Template|Component|Maximum of)\b/.test(
    message,
  )

/** The line below `include` that has the text which the message quotes. */
function includeLine(text: string, message: string, from: number | undefined): number | undefined {
  const [, quoted] = /`([^`]+)`/.exec(message) ?? []
  if (from === undefined || quoted === undefined) return from
  const below = text.split('\n').slice(from - 1)
  const at = below.findIndex(line => line.includes(quoted))
  return at < 0 ? from : from + at
}
