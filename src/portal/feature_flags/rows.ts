/** The strategies of a feature flag as rows of a form: whom it is on for, and in which environments. */
import Type from 'typebox'
import type { FlagRow, FlagStrategy } from '../../delivery/feature_flags/queries.ts'
import type { ScopeInput, StrategyInput, StrategyName } from '../../delivery/feature_flags/strategies.ts'
import type { UserListRow } from '../../delivery/feature_flags/user_lists/queries.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import type { FieldSpec, FieldState } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** What is chosen for whom a strategy is on; lists of users follow, by their ids. */
const kinds: readonly (readonly [name: Exclude<StrategyName, 'gitlabUserList'>, label: string])[] = [
  ['default', 'All users'],
  ['flexibleRollout', 'A share of users, in percent'],
  ['gradualRolloutUserId', 'A share of user ids, in percent'],
  ['userWithId', 'These user ids'],
]

/** A list of users is chosen as this and its id. */
const LIST = 'list-'

/** A row as it is sent. */
interface Row {
  readonly id?: string | undefined
  readonly whom?: string | undefined
  readonly value?: string | undefined
  readonly environments?: string | undefined
}

/** The parameter of a form with such rows. A row for no one is none. */
export const rowParams = {
  rows: optional(
    Type.Array(
      Type.Object({
        id: optional(text('ID of the strategy', { maxLength: 20 })),
        whom: optional(text('Whom it is on for', { maxLength: 64 })),
        value: optional(text('A share, or ids', { maxLength: 65_536 })),
        environments: optional(text('Names of environments, separated by commas', { maxLength: 4_096 })),
      }),
      { description: 'Strategies', maxItems: 100 },
    ),
  ),
}

const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  ),
]

/** The parameters of a strategy; of a share everything but the share stays as it was. */
function parametersOf(name: StrategyName, value: string, before: FlagStrategy | undefined): Readonly<Record<string, string>> {
  const kept = before?.name === name ? before.parameters : {}
  if (name === 'userWithId') return { userIds: namesIn(value).join(',') }
  if (name === 'gradualRolloutUserId') return { groupId: 'default', ...kept, percentage: value.trim() }
  if (name === 'flexibleRollout') return { groupId: 'default', stickiness: 'default', ...kept, rollout: value.trim() }
  return {}
}

/** The scopes of a row: those that are no longer named are taken away. No name: all environments. */
function scopesOf(environments: string, before: FlagStrategy | undefined): ScopeInput[] {
  const named = namesIn(environments)
  const wanted = named.length > 0 ? named : ['*']
  const present = before?.scopes ?? []
  const gone = present.filter(scope => !wanted.includes(scope.environment_scope)).map(({ id }) => ({ id, _destroy: true }))
  const fresh = wanted.filter(name => !present.some(scope => scope.environment_scope === name))
  return [...gone, ...fresh.map(environment_scope => ({ environment_scope }))]
}

/** The parameter `strategies` of the declaration for what a form sent. Strategies of the flag that no row has are taken away. */
export function strategiesIn(sent: unknown, flag?: Pick<FlagRow, 'strategies'>): StrategyInput[] {
  const rows = ((sent as readonly Row[] | undefined) ?? []).filter(({ whom = '' }) => whom !== '')
  const wrong = rows.find(({ whom = '' }) => !whom.startsWith(LIST) && !kinds.some(([name]) => name === whom))
  if (wrong) throw invalid({ rows: ['is for no one whom the form offers'] })
  const present = flag?.strategies ?? []
  const kept = rows.map(({ id, whom = '', value = '', environments = '' }): StrategyInput => {
    const before = present.find(strategy => String(strategy.id) === id)
    const name = whom.startsWith(LIST) ? 'gitlabUserList' : (whom as StrategyName)
    return {
      ...(before && { id: before.id }),
      name,
      parameters: parametersOf(name, value, before),
      ...(name === 'gitlabUserList' && { user_list_id: Number(whom.slice(LIST.length)) }),
      scopes: scopesOf(environments, before),
    }
  })
  const gone = present.filter(({ id }) => !rows.some(row => row.id === String(id))).map(({ id }) => ({ id, _destroy: true }))
  return [...gone, ...kept]
}

/** The strategies of a flag as the rows of its form. */
export const rowsOf = ({ strategies }: Pick<FlagRow, 'strategies'>): Row[] =>
  strategies.map(({ id, name, parameters, user_list, scopes }) => ({
    id: String(id),
    whom: user_list ? `${LIST}${user_list.id}` : name,
    value: parameters.userIds ?? parameters.percentage ?? parameters.rollout ?? '',
    environments: scopes.map(({ environment_scope }) => environment_scope).join(', '),
  }))

/** Rows that are shown empty without a script, which adds others. */
const EMPTY_ROWS = 3

/** The rows as a field of a form. */
export const rowsField = (lists: readonly Pick<UserListRow, 'id' | 'name'>[]): FieldSpec => ({
  name: 'rows',
  own: state => rowsView(state, lists),
})

function rowsView({ value, wrong }: FieldState, lists: readonly Pick<UserListRow, 'id' | 'name'>[]): Html {
  const typed = (Array.isArray(value) ? value : []).filter((row): row is Row => typeof row === 'object' && row !== null)
  const rows = [...typed.filter(({ whom = '' }) => whom !== ''), ...Array.from({ length: EMPTY_ROWS }, (): Row => ({}))]
  return html`<fieldset class="field" aria-describedby="rows-hint${wrong.length > 0 && ' rows-wrong'}"><legend>Whom it is on for</legend>
<p class="hint" id="rows-hint">One that fits is enough. A share or ids belong to the kinds that name them; environments are separated by commas, and <code>*</code> in them stands for any text. Without a row the flag is on for no one.</p>${wrong.length > 0 && html`<p class="wrong" id="rows-wrong">One ${wrong.join(', ')}</p>`}
<variable-rows>${rows.map((row, at) => rowView(row, at, lists))}
<p data-add hidden><button type="button" class="btn btn-sm">${icon('plus')} Add a strategy</button></p></variable-rows></fieldset>`
}

const name = (field: string) => `rows[][${field}]`

function rowView(
  { id, whom = '', value = '', environments = '' }: Row,
  at: number,
  lists: readonly Pick<UserListRow, 'id' | 'name'>[],
): Html {
  const option = (key: string, label: string): Html => html`<option value="${key}"${key === whom && html` selected`}>${label}</option>`
  const choices = [['', 'No one'] as const, ...kinds, ...lists.map(list => [`${LIST}${list.id}`, `The list “${list.name}”`] as const)]
  // The first field of each row begins it: what is sent is split there.
  return html`<div class="variable-row strategy-row" data-row${whom === '' && html` data-empty`}><input type="hidden" name="${name('id')}" value="${id ?? ''}"><select class="form-control form-select" name="${name('whom')}" aria-label="Whom ${at + 1}">${choices.map(([key, label]) => option(key, label))}</select><input class="form-control" name="${name('value')}" value="${value}" aria-label="Share or ids ${at + 1}" placeholder="25 or 1041,1042" autocapitalize="none" autocomplete="off" spellcheck="false"><input class="form-control" name="${name('environments')}" value="${environments}" aria-label="Environments ${at + 1}" placeholder="* or production, review/*" autocapitalize="none" autocomplete="off" spellcheck="false"></div>`
}
