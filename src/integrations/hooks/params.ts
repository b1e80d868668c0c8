/** The parameters of hooks. */
import type { TBoolean, TOptional } from 'typebox'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { HookKind } from './switches.ts'
import { switchesOf, switchMeanings } from './switches.ts'

const url = text('Address that is posted to', { maxLength: 2_048, examples: ['https://ci.example.com/hook'] })
const token = optional(text('Sent as `X-Gitlab-Token`; never shown', { maxLength: 255 }))
const enable_ssl_verification = optional(flag('Whether the certificate must be good; true unless given'))

type Switches<K extends HookKind> = { [S in (typeof switchesOf)[K][number]]: TOptional<TBoolean> }

const switches = <K extends HookKind>(kind: K) =>
  Object.fromEntries(switchesOf[kind].map(name => [name, optional(flag(switchMeanings[name]))])) as Switches<K>

/** For hooks of the instance. */
export const systemHookParams = { url, token, enable_ssl_verification, ...switches('system') }

const push_events_branch_filter = optional(
  text('Only pushes to the branch of this name, in which `*` stands for any text', { maxLength: 255 }),
)

/** For hooks of a project. */
export const projectHookParams = { url, token, enable_ssl_verification, push_events_branch_filter, ...switches('project') }

/** For hooks of a group. */
export const groupHookParams = { ...projectHookParams, ...switches('group') }
