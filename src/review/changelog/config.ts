/** How a project wants its changelog: `.gitlab/changelog_config.yml` on the branch that the changelog is for. */
import type { RE2JS } from 're2js'
import { compiledPattern } from '../../platform/patterns/patterns.ts'
import type { WantedYaml } from '../../platform/yaml/parse.ts'
import { readYamlMap, UnreadableYaml } from '../../platform/yaml/read.ts'
import { TemplateError } from './template.ts'
import { TAG_PATTERN } from './versions.ts'

export const CONFIG_PATH = '.gitlab/changelog_config.yml'

/** Bytes of the file that are read. */
export const MOST_CONFIG = 100_000

/** What the file says, or the defaults. */
export interface ChangelogConfig {
  /** In the words of `strftime`. */
  readonly dateFormat: string
  readonly template: string
  /** Titles by the values of the trailer. */
  readonly categories: ReadonlyMap<string, string>
  /** Reads the version of a tag from its name. */
  readonly tagPattern: RE2JS
}

const TEMPLATE = `{% if categories %}
{% each categories %}
### {{ title }} ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})

{% each entries %}
- [{{ title }}]({{ commit.reference }})\\
{% if author.contributor %} by {{ author.reference }}{% end %}\\
{% if merge_request %} ([merge request]({{ merge_request.reference }})){% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}
`

/** Characters of a regular expression. */
const MOST_PATTERN = 1_000

function patternOf(text: string): RE2JS {
  const pattern = text.length > MOST_PATTERN ? undefined : compiledPattern(text)
  if (!pattern) throw new TemplateError('tag_regex is not a regular expression, or is too long')
  return pattern
}

/** A list of aliases is no title: written out it could be longer than any memory. */
function titleOf(key: string, title: unknown): string {
  if (typeof title !== 'string' && typeof title !== 'number') throw new TemplateError(`categories: the title of ${key} must be a text`)
  return String(title)
}

/** @throws TemplateError where the file is not a configuration */
export async function configOf(yaml: string | undefined): Promise<ChangelogConfig> {
  const read = yaml === undefined ? {} : await loaded(yaml)
  const textAt = (key: string): string | undefined => {
    const value = read[key]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') throw new TemplateError(`${key} must be a text`)
    return value
  }
  const categories = read.categories ?? {}
  if (typeof categories !== 'object' || Array.isArray(categories)) throw new TemplateError('categories must be a map')
  return {
    dateFormat: textAt('date_format') ?? '%Y-%m-%d',
    template: textAt('template') ?? TEMPLATE,
    categories: new Map(Object.entries(categories as object).map(([key, title]) => [key, titleOf(key, title)])),
    tagPattern: patternOf(textAt('tag_regex') ?? TAG_PATTERN),
  }
}

const wanted: WantedYaml = { schema: 'core', aliases: 100, fields: ['date_format', 'template', 'categories', 'tag_regex'] }

async function loaded(yaml: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await readYamlMap(yaml, wanted)
  } catch (error) {
    throw error instanceof UnreadableYaml ? new TemplateError(`${CONFIG_PATH} ${error.message}`) : error
  }
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')
const name = (date: Date, options: Intl.DateTimeFormatOptions): string => date.toLocaleString('en-US', { timeZone: 'UTC', ...options })

const parts: Readonly<Record<string, (date: Date) => string>> = {
  Y: date => String(date.getUTCFullYear()),
  y: date => pad(date.getUTCFullYear() % 100),
  m: date => pad(date.getUTCMonth() + 1),
  d: date => pad(date.getUTCDate()),
  e: date => String(date.getUTCDate()).padStart(2, ' '),
  H: date => pad(date.getUTCHours()),
  M: date => pad(date.getUTCMinutes()),
  S: date => pad(date.getUTCSeconds()),
  B: date => name(date, { month: 'long' }),
  b: date => name(date, { month: 'short' }),
  h: date => name(date, { month: 'short' }),
  A: date => name(date, { weekday: 'long' }),
  a: date => name(date, { weekday: 'short' }),
  F: date => date.toISOString().slice(0, 10),
  T: date => date.toISOString().slice(11, 19),
  '%': () => '%',
}

/** A date (UTC) in a format of `strftime`; `%-d` is a number without zeros before it. What is not known stays as it is. */
export const formatDate = (date: Date, format: string): string =>
  format.replace(/%(-?)([A-Za-z%])/g, (whole, short: string, letter: string) => {
    const part = parts[letter]?.(date)
    return part === undefined ? whole : short ? part.replace(/^[0 ]+(?=\d)/, '') : part
  })
