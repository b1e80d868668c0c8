/** Boards. */
import { Board } from '../../../planning/boards/entity.ts'
import { type BoardListRow, type BoardRow, boardById, boardsOf } from '../../../planning/boards/queries.ts'
import { type PlanningPlace, placeOfGroup, placeOfProject } from '../../../spaces/places/places.ts'
import { inGroupFor, inProjectFor, listInGroupFor, listInProjectFor } from '../reading/access.ts'
import { connectionOf, connectionOfKnown, type PageArgs } from '../reading/connections.ts'
import { numberIn } from '../reading/ids.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, Thing } from '../reading/things.ts'
import { labelsOfIds } from './shared.ts'

interface ListJson {
  readonly id: number
  readonly label?: { readonly id: number; readonly name: string }
  readonly assignee?: { readonly name: string }
  readonly milestone?: { readonly title: string }
  readonly iteration?: { readonly title: string }
  readonly max_issue_count?: number
  readonly max_issue_weight?: number
  readonly limit_metric?: string | null
}

type ShownBoard = Thing<BoardRow, { readonly lists: readonly ListJson[]; readonly weight?: number | null }>

/** A list, alone or as a part of its board. */
const jsonOf = (list: Thing<BoardListRow, ListJson> | ListJson): ListJson => (list instanceof Thing ? list.json : list)

const board = async (place: PlanningPlace, { id }: { readonly id: string }, request: GraphRequest) => {
  const row = await boardById(request.ctx.db, place, numberIn('BoardID', id))
  return row ? request.show(Board, row) : null
}

const boards = (place: PlanningPlace, args: PageArgs, request: GraphRequest) =>
  connectionOf(request, args, 'boards', Board, () => boardsOf(request.ctx.db, place))

const fields = `
  "A board"
  board("Global ID of the board" id: BoardID!): Board
  "Boards"
  boards: BoardConnection
`

export const boardsPart: Part = {
  types: `
    extend type Project { ${fields} }
    extend type Group { ${fields} }
    "A board"
    type Board {
      "Global ID"
      id: ID!
      "Name"
      name: String
      "Whether the list of open issues is hidden"
      hideBacklogList: Boolean
      "Whether the list of closed issues is hidden"
      hideClosedList: Boolean
      "Only issues of this weight; null: any"
      weight: Int
      "Lists, from left to right"
      lists: BoardListConnection
      "When it was created"
      createdAt: Time!
      "When it was last changed"
      updatedAt: Time!
    }
    "A list of a board"
    type BoardList {
      "Global ID"
      id: ID!
      "What its issues share, in words"
      title: String!
      "Kind of what its issues share"
      listType: String!
      "Place on the board, from 0"
      position: Int
      "The label; null where it is of another kind"
      label: Label
      "The assignee; null where it is of another kind"
      assignee: UserCore
      "Most issues; 0: no limit"
      maxIssueCount: Int
      "Most weight; 0: no limit"
      maxIssueWeight: Int
      "What limits the list"
      limitMetric: ListLimitMetric
    }
    "What limits a list"
    enum ListLimitMetric {
      "Issues and weight" all_metrics
      "Issues" issue_count
      "Weight" issue_weights
    }
  `,
  resolvers: {
    Project: {
      board: inProjectFor<{ id: string }>('read_board', (project, args, request) => board(placeOfProject(project), args, request)),
      boards: listInProjectFor<PageArgs>('read_board', (project, args, request) => boards(placeOfProject(project), args, request)),
    },
    Group: {
      board: inGroupFor<{ id: string }>('read_group_board', (group, args, request) => board(placeOfGroup(group), args, request)),
      boards: listInGroupFor<PageArgs>('read_group_board', (group, args, request) => boards(placeOfGroup(group), args, request)),
    },
    Board: {
      id: ({ row }: ShownBoard) => globalId('Board', row.id),
      weight: ({ json }: ShownBoard) => json.weight ?? null,
      lists: ({ json }: ShownBoard, args: PageArgs, request) => connectionOfKnown(request, args, () => json.lists),
    },
    BoardList: {
      id: (list: ListJson) => globalId('List', jsonOf(list).id),
      title(list: ListJson) {
        const { label, assignee, milestone, iteration } = jsonOf(list)
        return label?.name ?? assignee?.name ?? milestone?.title ?? iteration?.title ?? ''
      },
      listType(list: ListJson) {
        const { label, assignee, milestone } = jsonOf(list)
        return label ? 'label' : assignee ? 'assignee' : milestone ? 'milestone' : 'iteration'
      },
      async label(list: ListJson, _args, request) {
        const { label } = jsonOf(list)
        return label ? ((await labelsOfIds(request, [label.id]))[0] ?? null) : null
      },
      assignee: (list: ListJson) => jsonOf(list).assignee ?? null,
      maxIssueCount: (list: ListJson) => jsonOf(list).max_issue_count ?? null,
      maxIssueWeight: (list: ListJson) => jsonOf(list).max_issue_weight ?? null,
      limitMetric: (list: ListJson) => jsonOf(list).limit_metric ?? null,
    },
  },
}
