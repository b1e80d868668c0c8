/** Boards of projects and of groups, by the addresses of their pages. They differ in what is said here, and in nothing else. */
import { type Column, ends } from '../../planning/boards/columns.ts'
import { groupBoards, projectBoards } from '../../planning/boards/endpoints.ts'
import type { BoardListRow, BoardRow } from '../../planning/boards/queries.ts'
import { boardById, listOfBoard } from '../../planning/boards/queries.ts'
import { listGroupIssues, listProjectIssues } from '../../planning/issues/lists/endpoints.ts'
import { type IssueRow, issueById, visibleIssuesById } from '../../planning/issues/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import type { Topic } from '../../platform/pages/live/topics.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import type { MemberPlace } from '../../spaces/members/queries.ts'
import { memberPlaceOfGroup, memberPlaceOfProject } from '../../spaces/members/scope.ts'
import { groupPlaceOf, type PlanningPlace } from '../../spaces/places/places.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { planningPlace } from '../issues/choices.ts'
import { issuesTopicOf } from '../issues/live.ts'
import { groupIssuesTopicOf } from './live.ts'

/** The place of the boards of a page. */
export interface InBoards {
  readonly place: PlanningPlace
  readonly members: MemberPlace
  /** The path of its boards: `/group/project/-/boards`. */
  readonly base: string
  /** The path of its other pages: `/group/project/-`. */
  readonly pages: string
  readonly shown: (ctx: Pick<Context, 'actor'>) => Place
  /** What its issues announce. */
  readonly topic: Topic
  /** Undefined for a group. */
  readonly project: ProjectWithRole | undefined
  readonly may: (ctx: Pick<Context, 'actor'>, ability: 'manage' | 'move') => boolean
}

export type InBoard = InBoards & { readonly board: BoardRow }
export type InList = InBoard & { readonly list: BoardListRow }
export type InColumn = InBoard & { readonly column: Column }
export type InCard = InBoard & { readonly issue: IssueRow; readonly home: ProjectWithRole }

/** What the boards of a kind of place have of their own. */
export interface BoardKind {
  readonly noun: 'project' | 'group'
  readonly path: '/:project_path/-/boards' | '/groups/:group_path/-/boards'
  readonly scope: Scope<InBoards>
  readonly inBoard: Scope<InBoard>
  readonly inList: Scope<InList>
  readonly inColumn: Scope<InColumn>
  readonly inCard: Scope<InCard>
  readonly read: Ability
  readonly manage: Ability
  /** Moving issues over a board of the place; what the project of each allows is asked besides. */
  readonly move: Ability
  /** The declarations of the API. */
  readonly api: readonly Endpoint[]
  /** The list of the API that has the issues of its boards. */
  readonly issues: Endpoint
}

const yes = (verdict: ReturnType<typeof allows>): boolean => verdict === 'yes'

const inProjectBoards = within(inProjectPage, {
  name: 'inProjectPage',
  path: {},
  load: async ({ project }): Promise<InBoards> => ({
    place: planningPlace(project),
    members: memberPlaceOfProject(project),
    base: projectPath(project, '/-/boards'),
    pages: projectPath(project, '/-'),
    shown: ({ actor }) => projectPlace(actor, project, 'boards'),
    topic: issuesTopicOf(project),
    project,
    may: ({ actor }, what) => yes(allows(actor, what === 'manage' ? 'admin_board' : 'admin_issue', projectSubject(project))),
  }),
})

const planningGroup = (group: GroupRow): PlanningPlace => ({
  noun: 'group',
  id: group.id,
  ...groupPlaceOf(group),
  full_path: group.full_path,
})

const inGroupBoards = within(inGroupPage, {
  name: 'inGroupPage',
  path: {},
  load: async ({ group }): Promise<InBoards> => ({
    place: planningGroup(group),
    members: memberPlaceOfGroup(group),
    base: groupPath(group, '/-/boards'),
    pages: groupPath(group, '/-'),
    shown: ({ actor }) => groupPlace(actor, group, 'boards'),
    topic: groupIssuesTopicOf(group),
    project: undefined,
    // Who may move an issue depends on its project: those who may manage the board may try.
    may: ({ actor }) => yes(allows(actor, 'admin_group_board', groupSubject(group))),
  }),
})

/** `:board_id` becomes a board of the place, or 404. */
const boardIn = (outer: Scope<InBoards>) =>
  within(outer, {
    name: `${outer.name}Board`,
    path: { board_id: integer('ID of a board') },
    async load({ db, place }, { board_id }) {
      const board = await boardById(db, place, board_id)
      if (!board) throw notFound('Board')
      return { board }
    },
  })

const listIn = (outer: Scope<InBoard>) =>
  within(outer, {
    name: `${outer.name}List`,
    path: { list_id: integer('ID of a list of the board') },
    async load({ db, board }, { list_id }) {
      const list = await listOfBoard(db, board.id, list_id)
      if (!list) throw notFound('List')
      return { list }
    },
  })

/** A column of a board by its name in addresses, or 404. */
export async function findColumn({ db, board }: Pick<Context & InBoard, 'db' | 'board'>, key: string): Promise<Column> {
  const end = ends.find(name => name === key)
  const column = end ?? (/^\d{1,15}$/.test(key) ? await listOfBoard(db, board.id, Number(key)) : undefined)
  if (!column) throw notFound('List')
  return column
}

const columnIn = (outer: Scope<InBoard>) =>
  within(outer, {
    name: `${outer.name}Column`,
    path: { column: text('`open`, `closed`, or the ID of a list of the board', { maxLength: 15 }) },
    load: async (ctx, { column }): Promise<{ readonly column: Column }> => ({ column: await findColumn(ctx, column) }),
  })

/** `:issue_id` becomes an issue of the place that the caller may see, with its project, or 404. */
const cardIn = (outer: Scope<InBoard>) =>
  within(outer, {
    name: `${outer.name}Issue`,
    path: { issue_id: integer('ID of an issue') },
    async load({ db, actor, place, project }, { issue_id }) {
      const issue = (await visibleIssuesById(db, actor, [issue_id], place.full_path)).get(issue_id)
      if (!issue) throw notFound('Issue')
      const home = project ?? (await findProject(db, actor, String(issue.project_id)))
      const isHere = project ? issue.project_id === project.id : home.namespace_traversal_ids.includes(place.id)
      if (!isHere) throw notFound('Issue')
      return { issue: (await issueById(db, issue.id, place.full_path)) as IssueRow, home }
    },
  })

function kindOf(
  own: Pick<BoardKind, 'noun' | 'path' | 'read' | 'manage' | 'move' | 'api' | 'issues'> & { readonly scope: Scope<InBoards> },
): BoardKind {
  const inBoard: Scope<InBoard> = boardIn(own.scope)
  return { ...own, inBoard, inList: listIn(inBoard), inColumn: columnIn(inBoard), inCard: cardIn(inBoard) }
}

export const projectKind = kindOf({
  noun: 'project',
  path: '/:project_path/-/boards',
  scope: inProjectBoards as unknown as Scope<InBoards>,
  read: 'read_board',
  manage: 'admin_board',
  move: 'admin_issue',
  api: projectBoards,
  issues: listProjectIssues,
})

export const groupKind = kindOf({
  noun: 'group',
  path: '/groups/:group_path/-/boards',
  scope: inGroupBoards as unknown as Scope<InBoards>,
  read: 'read_group_board',
  manage: 'admin_group_board',
  move: 'admin_group_board',
  api: groupBoards,
  issues: listGroupIssues,
})

/** May the caller move issues of a project over boards? 403 if not. */
export function assertMayMove({ actor, home }: Pick<Context & InCard, 'actor' | 'home'>): void {
  if (!yes(allows(actor, 'admin_issue', projectSubject(home)))) throw forbidden()
}
