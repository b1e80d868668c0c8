/**
 * The filters of issue and merge request lists (document 3 "Issue list filters") in one table, each with its conditions. Filters of merge
 * requests only: review/merge_requests/lists/filters.ts.
 */
import { type RawBuilder, sql } from 'kysely'
import type { ItemTables } from '../../../collaboration/item_kinds/kinds.ts'
import { type DueDateWord, daysOf } from '../due_dates.ts'
import { epicVisibleTo } from '../epics.ts'
import {
  type Asked,
  type Asker,
  type Condition,
  type Existence,
  equal,
  type FilterTable,
  from,
  isSet,
  isUnset,
  matchingBy,
  negated,
  numberIn,
  until,
  userNamed,
  type Way,
} from './conditions.ts'
import { type FilterIds, filterIdsOf, type ResolvedFilters } from './filter_ids.ts'
import { isAny, isNone } from './keywords.ts'
import { matchesText } from './text_search.ts'

/** Values of the filters, as given by the parameters of a list. */
export interface Filters {
  assignee_id?: number | string | undefined
  assignee_username?: readonly string[] | undefined
  author_id?: number | undefined
  author_username?: string | undefined
  confidential?: boolean | undefined
  created_after?: string | undefined
  created_before?: string | undefined
  due_date?: DueDateWord | undefined
  epic_id?: number | string | undefined
  health_status?: string | undefined
  iids?: readonly number[] | undefined
  issue_type?: string | undefined
  iteration_id?: number | string | undefined
  iteration_title?: string | undefined
  labels?: readonly string[] | undefined
  milestone?: string | undefined
  my_reaction_emoji?: string | undefined
  scope?: string | undefined
  search?: string | undefined
  state?: string | undefined
  updated_after?: string | undefined
  updated_before?: string | undefined
  weight?: number | string | undefined
  /** The columns that `search` reads. */
  in?: readonly string[] | undefined
}

function assigneesOf({ table, assignees }: ItemTables) {
  if (assignees === undefined) throw new Error(`${table} have no assignees to filter by`)
  return sql.table(assignees)
}

const isAssigned = ({ kind, column }: Asked, who: RawBuilder<unknown>): Existence => ({
  rows: sql`select from ${assigneesOf(kind)} a where a.${sql.ref(kind.key)} = ${column('id')} and a.user_id = ${who}`,
})

const hasAssignee = ({ kind, column }: Asked): Existence => ({
  rows: sql`select from ${assigneesOf(kind)} a where a.${sql.ref(kind.key)} = ${column('id')}`,
})

const hasLabel = ({ kind, column }: Asked): Existence => ({
  rows: sql`select from ${sql.table(kind.labels)} il where il.${sql.ref(kind.key)} = ${column('id')}`,
})

/**
 * Does the row have a label of this name? Looked up among the row's own labels: the addition keeps the planner from scanning the index
 * for every label of that name, and the limit from collecting all rows that have one.
 */
const isLabelled = ({ kind, column, named }: Asked, name: string): Condition =>
  sql<boolean>`coalesce((select true from ${sql.table(kind.labels)} il where il.${sql.ref(kind.key)} = ${column('id')} and ${
    named
      ? sql`il.label_id + 0 = any(${filterIdsOf(named.labels, name).ids})`
      : sql`il.label_id in (select l.id from labels l where l.name = ${name})`
  } limit 1), false)`

/** Is the row among those that have a label? The set is read first, by one index range for each of the ids. */
const isAmongLabelled = ({ kind, column }: Asked, { ids, isOfProjects }: FilterIds): Condition => ({
  id: column('id'),
  ids: sql`select il.${sql.ref(kind.key)} from ${sql.table(kind.labels)} il where il.label_id = any(${ids})`,
  isOfProjects,
})

/**
 * From this number of milestones of a name on, their rows are found as a set; fewer are found well by their column. For so many the
 * planner would estimate each one's frequency; the addition prevents that where rows are read in order.
 */
const MANY_MILESTONES = 100

function isInMilestone({ kind, column, named, by }: Asked, title: string): Condition {
  if (!named) return sql<boolean>`${column('milestone_id')} in (select m.id from milestones m where m.title = ${title})`
  const { ids, count, isOfProjects } = filterIdsOf(named.milestones, title)
  if (count < MANY_MILESTONES) return sql<boolean>`${column('milestone_id')} = any(${ids})`
  if (by === 'rows') return sql<boolean>`${column('milestone_id')} + 0 = any(${ids})`
  return {
    id: column('id'),
    ids: sql`select planned.id from ${sql.table(kind.table)} planned where planned.milestone_id = any(${ids})`,
    isOfProjects,
  }
}

/** Is the row in an epic that the caller may see? */
const isInEpic = ({ column, actor }: Asked): Existence => ({
  rows: sql`select from epics join namespaces on namespaces.id = epics.namespace_id where epics.id = ${column('epic_id')} and ${epicVisibleTo(actor)}`,
})

const hasReaction = ({ kind, column, userId }: Asked, name: string | undefined): Existence => ({
  rows: sql`select from award_emoji e where e.${sql.ref(kind.key)} = ${column('id')} and e.user_id = ${userId}
                        ${name === undefined ? sql`` : sql`and e.name = ${name}`}`,
})

/** Contract: `No Label` is a deprecated name of `None` (document 3). */
const meansNoLabel = (name: string) => isNone(name) || /^no[ +]label$/i.test(name)

/** All filters. `in` is not a filter: it selects the columns of `search`. */
export const planningFilters: FilterTable<Omit<Filters, 'in'>> = {
  assignee_id: {
    conditions: (value, asked) => [
      isNone(value) ? negated(hasAssignee(asked)) : isAny(value) ? hasAssignee(asked) : isAssigned(asked, sql`${value}`),
    ],
  },
  // Contract: several usernames must all match (decision 39).
  assignee_username: { conditions: (names, asked) => names.map(name => isAssigned(asked, userNamed(name))) },
  author_id: { conditions: equal('author_id') },
  author_username: { conditions: (name, { column }) => [sql<boolean>`${column('author_id')} = ${userNamed(name)}`] },
  confidential: { conditions: equal('confidential') },
  created_after: { conditions: from('created_at') },
  created_before: { conditions: until('created_at') },
  due_date: {
    conditions(word, { column, now }) {
      if (word === '0') return [isUnset(column('due_date'))]
      const days = daysOf(word, now)
      return [
        ...(days.from === undefined ? [] : [sql<boolean>`${column('due_date')} >= ${days.from}`]),
        ...(days.to === undefined ? [] : [sql<boolean>`${column('due_date')} <= ${days.to}`]),
      ]
    },
  },
  epic_id: {
    tier: 'premium',
    // An epic that the caller may not see is none, as in the issue itself: otherwise its ID would tell who is in it.
    conditions(value, asked) {
      if (isNone(value)) return [negated(isInEpic(asked))]
      return [isAny(value) ? isInEpic(asked) : sql<boolean>`(${asked.column('epic_id')} = ${value} and exists (${isInEpic(asked).rows}))`]
    },
  },
  health_status: {
    tier: 'ultimate',
    conditions(word, { column }) {
      const status = column('health_status')
      return [isNone(word) ? isUnset(status) : isAny(word) ? isSet(status) : sql<boolean>`${status} = ${word.toLowerCase()}`]
    },
  },
  iids: { conditions: (iids, { column }) => (iids.length === 0 ? [] : [sql<boolean>`${column('iid')} = any(${iids})`]) },
  issue_type: { conditions: equal('issue_type') },
  iteration_id: { tier: 'premium', conditions: numberIn('iteration_id') },
  iteration_title: {
    tier: 'premium',
    conditions: (title, { column }) => [
      sql<boolean>`${column('iteration_id')} in (select i.id from iterations i where i.title = ${title})`,
    ],
  },
  labels: {
    conditions(names, asked) {
      if (names.some(meansNoLabel)) return [negated(hasLabel(asked))]
      if (names.some(isAny)) return [hasLabel(asked)]
      const { named, by } = asked
      if (by === 'sets' && named) return [...new Set(names)].map(name => isAmongLabelled(asked, filterIdsOf(named.labels, name)))
      return names.map(name => isLabelled(asked, name))
    },
  },
  milestone: {
    conditions(title, asked) {
      const column = asked.column('milestone_id')
      return [isNone(title) ? isUnset(column) : isAny(title) ? isSet(column) : isInMilestone(asked, title)]
    },
  },
  my_reaction_emoji: {
    conditions: (name, asked) => [
      isNone(name) ? negated(hasReaction(asked, undefined)) : hasReaction(asked, isAny(name) ? undefined : name),
    ],
  },
  scope: {
    conditions(scope, asked) {
      // Contract: the values with dashes are deprecated spellings (document 1 "Versioning").
      if (scope === 'created_by_me' || scope === 'created-by-me') return [sql<boolean>`${asked.column('author_id')} = ${asked.userId}`]
      if (scope === 'assigned_to_me' || scope === 'assigned-to-me') return [isAssigned(asked, sql`${asked.userId}`)]
      return []
    },
  },
  search: {
    conditions: (text, { kind, in: columns }) =>
      text.trim() === ''
        ? []
        : [
            matchesText(
              columns.map(name => `${kind.table}.${name}`),
              text,
            ),
          ],
  },
  state: { conditions: (state, { column }) => (state === 'all' ? [] : [sql<boolean>`${column('state')} = ${state}`]) },
  updated_after: { conditions: from('updated_at') },
  updated_before: { conditions: until('updated_at') },
  weight: { tier: 'premium', conditions: numberIn('weight') },
}

/**
 * The rows that match `wanted` and do not match `not`.
 * @param named the resolved names in the filters (`resolveFilterIds`), for long lists
 * @param by how rows are found, where a condition can be written in both ways
 */
export const matching = (
  kind: ItemTables,
  wanted: Filters & { readonly not?: Filters | undefined },
  asker: Asker,
  named?: ResolvedFilters,
  by?: Way,
): RawBuilder<boolean> => matchingBy<Omit<Filters, 'in'>>(planningFilters, kind, wanted, asker, named, by)
