/** The parameters of hooks. */
import Type, { type TBoolean, type TOptional } from 'typebox'
import type { HookKind } from './switches.ts'
import { switchesOf } from './switches.ts'

const url = Type.String({ maxLength: 2_048, description: 'Address that is posted to', examples: ['https://ci.example.com/hook'] })
const token = Type.Optional(Type.String({ maxLength: 255, description: 'Sent as `X-Gitlab-Token`; never shown' }))
const enable_ssl_verification = Type.Optional(Type.Boolean({ description: 'Whether the certificate must be good; true unless given' }))

type Switches<K extends HookKind> = { [S in (typeof switchesOf)[K][number]]: TOptional<TBoolean> }

const switches = <K extends HookKind>(kind: K) =>
  Object.fromEntries(switchesOf[kind].map(name => [name, Type.Optional(Type.Boolean())])) as Switches<K>

/** For hooks of the instance. */
export const systemHookParams = { url, token, enable_ssl_verification, ...switches('system') }

const push_events_branch_filter = Type.Optional(
  Type.String({ maxLength: 255, description: 'Only pushes to the branch of this name, in which `*` stands for any text' }),
)

/** For hooks of a project. */
export const projectHookParams = { url, token, enable_ssl_verification, push_events_branch_filter, ...switches('project') }

/** For hooks of a group. */
export const groupHookParams = { ...projectHookParams, ...switches('group') }
