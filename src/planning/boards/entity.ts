/** Boards and their lists as JSON (issue boards and group issue boards API at 14.0). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { described, flag, integer, Nullable, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import { groupsById } from '../../spaces/groups/queries.ts'
import { SimpleProject } from '../../spaces/projects/entity.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { labelDetailFields, presentLabelDetails } from '../labels/entity.ts'
import { labelsById } from '../labels/queries.ts'
import {
  EmbeddedIteration,
  EmbeddedMilestone,
  embeddedIterations,
  embeddedMilestones,
  presentIteration,
  presentMilestone,
} from '../shared/embedded.ts'
import { type BoardListRow, type BoardRow, listsOfBoards } from './queries.ts'

const Label = Type.Object(labelDetailFields)
const User = Type.Object(summaryFields)

/** A list has one of `label`, `assignee`, `milestone` and `iteration`, which its issues share. */
const listFields = {
  id: integer('ID, unique on the instance'),
  label: optional(described('The label of the list; absent where it is of another kind', Label)),
  assignee: onTier('premium', optional(described('The assignee; null where there is none', User))),
  milestone: onTier('premium', optional(described('The milestone; null where there is none', EmbeddedMilestone))),
  iteration: onTier('premium', optional(described('The iteration; null where there is none', EmbeddedIteration))),
  position: integer('Place of the list on the board, from 0'),
  max_issue_count: onTier('premium', integer('Most issues of the list; 0: no limit')),
  max_issue_weight: onTier('premium', integer('Most weight of the list; 0: no limit')),
  limit_metric: onTier(
    'premium',
    Nullable(text('What limits the list: `all_metrics`, `issue_count` or `issue_weights`; null where no limit is set')),
  ),
}

/** Loads the subjects of all lists. */
async function loadSubjects({ db }: Context, lists: readonly BoardListRow[], boards: readonly BoardRow[] = []) {
  return {
    labels: await labelsById(db, [...idsOf(lists, 'label_id'), ...boards.flatMap(board => board.label_ids)]),
    users: await usersById(db, [...idsOf(lists, 'assignee_id'), ...idsOf(boards, 'assignee_id')]),
    milestones: await embeddedMilestones(db, [...idsOf(lists, 'milestone_id'), ...idsOf(boards, 'milestone_id')]),
    iterations: await embeddedIterations(db, idsOf(lists, 'iteration_id')),
  }
}

type Subjects = Awaited<ReturnType<typeof loadSubjects>>

/** Presents the value of a map for an id; undefined for no id. */
const shown = <Row, Shown>(rows: ReadonlyMap<number, Row>, id: number | null, present: (row: Row) => Shown): Shown | undefined => {
  const row = id === null ? undefined : rows.get(id)
  return row && present(row)
}

const without = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const presentList = (row: BoardListRow, { labels, users, milestones, iterations }: Subjects, facts: Facts) => ({
  id: row.id,
  ...without({
    label: shown(labels, row.label_id, presentLabelDetails),
    assignee: shown(users, row.assignee_id, user => presentSummary(user, facts)),
    milestone: shown(milestones, row.milestone_id, milestone => presentMilestone(milestone, facts)),
    iteration: shown(iterations, row.iteration_id, iteration => presentIteration(iteration, facts)),
  }),
  position: row.position,
  max_issue_count: row.max_issue_count,
  max_issue_weight: row.max_issue_weight,
  limit_metric: row.limit_metric,
})

export const BoardList = entity({ name: 'BoardList', schema: Type.Object(listFields), load: loadSubjects, present: presentList })

async function load(ctx: Context, rows: readonly BoardRow[]) {
  const lists = await listsOfBoards(
    ctx.db,
    rows.map(row => row.id),
  )
  return {
    ...(await loadSubjects(ctx, lists, rows)),
    lists: Map.groupBy(lists, list => list.board_id),
    projects: await projectsById(ctx.db, idsOf(rows, 'project_id')),
    groups: await groupsById(ctx.db, idsOf(rows, 'namespace_id')),
  }
}

export const Board = entity({
  name: 'Board',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: text('Name of the board'),
    hide_backlog_list: flag('Whether the list of open issues is hidden'),
    hide_closed_list: flag('Whether the list of closed issues is hidden'),
    project: Nullable(described("The project of the board; null where it is a group's", SimpleProject.schema)),
    group: Nullable(
      described(
        "The group of the board; null where it is a project's",
        Type.Object({
          id: integer('ID, unique on the instance'),
          name: text('Name of the board'),
          web_url: text('Address of the page for people'),
        }),
      ),
    ),
    lists: described('Lists of the board', Type.Array(Type.Object(listFields))),
    milestone: onTier('premium', Nullable(described('The milestone; null where there is none', EmbeddedMilestone))),
    assignee: onTier('premium', Nullable(described('The assignee; null where there is none', User))),
    labels: onTier('premium', described('Labels that the board is limited to', Type.Array(Label))),
    weight: onTier('premium', Nullable(integer('Weight that the board is limited to; null: any'))),
  }),
  load,
  present: (row: BoardRow, loaded: Awaited<ReturnType<typeof load>>, facts) => ({
    id: row.id,
    name: row.name,
    hide_backlog_list: row.hide_backlog_list,
    hide_closed_list: row.hide_closed_list,
    project: shown(loaded.projects, row.project_id, project => SimpleProject.present(project, undefined, facts)) ?? null,
    group:
      shown(loaded.groups, row.namespace_id, group => ({
        id: group.id,
        name: group.name,
        web_url: `${facts.url}/groups/${group.full_path}`,
      })) ?? null,
    lists: (loaded.lists.get(row.id) ?? []).map(list => presentList(list, loaded, facts)),
    milestone: shown(loaded.milestones, row.milestone_id, milestone => presentMilestone(milestone, facts)) ?? null,
    assignee: shown(loaded.users, row.assignee_id, user => presentSummary(user, facts)) ?? null,
    labels: row.label_ids.flatMap(id => shown(loaded.labels, id, presentLabelDetails) ?? []),
    weight: row.weight,
  }),
})
