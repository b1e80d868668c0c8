/**
 * What an integration is made of, as data: its settings and the events that it can be notified of. The parameters of the API, the answers, the forms and
 * the handbook follow from it.
 */
import type { IntegrationSwitch } from '../switches.ts'

/**
 * The type of a setting. `url`: an address that this server calls, by the rules for outgoing requests. `link`: an address that people follow.
 */
export type FieldType = 'text' | 'long' | 'flag' | 'integer' | 'url' | 'link'

/** A setting of an integration. */
export interface SettingField {
  readonly name: string
  readonly type: FieldType
  /** What it is, for the API description and the form. */
  readonly about: string
  readonly label?: string
  readonly required?: true
  /** Encrypted, and never shown again. */
  readonly secret?: true
  /** Kept and obeyed, but not among the properties of an answer. */
  readonly unlisted?: true
  /** What its text looks like, and how that is said of one that does not. */
  readonly form?: { readonly pattern: string; readonly message: string }
  readonly choices?: readonly [string, ...string[]]
  /** The value of a new integration. */
  readonly initial?: string | boolean
  readonly example?: string
}

/** The parts of the page that lists integrations. */
export const kindGroups = ['Chat', 'Issue trackers', 'Builds', 'Mail', 'Documentation', 'Others'] as const

/** A kind of integration, by its slug in addresses. */
export interface IntegrationKind {
  readonly slug: string
  readonly title: string
  /** What it does, in a sentence. */
  readonly about: string
  readonly group: (typeof kindGroups)[number]
  readonly fields: readonly SettingField[]
  /** The events that it can be notified of. */
  readonly events: readonly IntegrationSwitch[]
  /** The settings are kept for clients, and nothing follows from them. */
  readonly kept?: true
}

type More = Omit<SettingField, 'name' | 'type' | 'about'>

const of =
  (type: FieldType) =>
  (name: string, about: string, more: More = {}): SettingField => ({ name, type, about, ...more })

export const line = of('text')
export const long = of('long')
export const flagField = of('flag')
export const whole = of('integer')
export const called = of('url')
export const link = of('link')
/** A secret: a password, a token or a key. */
export const secret = (name: string, about: string, more: More = {}): SettingField => ({ name, type: 'text', about, secret: true, ...more })

/** Marks a setting that must be given. */
export const must = (field: SettingField): SettingField => ({ ...field, required: true })

/** What `branches_to_be_notified` can be. */
export const branchChoices = ['all', 'default', 'protected', 'default_and_protected'] as const

/** The branches whose pushes and pipelines are reported. */
export const branches = (initial: (typeof branchChoices)[number]): SettingField =>
  line('branches_to_be_notified', 'Branches whose pushes and pipelines are reported; tags always are', {
    label: 'Branches',
    choices: branchChoices,
    initial,
  })

/** Whether pipelines that succeed are left out. */
export const brokenOnly = (initial: boolean): SettingField =>
  flagField('notify_only_broken_pipelines', 'Whether only pipelines that fail are reported', { label: 'Only failed pipelines', initial })

/** Contract: the former way of saying "the default branch alone" (services API). */
export const defaultBranchOnly = flagField(
  'notify_only_default_branch',
  'Deprecated: the default branch alone; `branches_to_be_notified` takes its place',
  { label: 'Only the default branch', unlisted: true },
)
