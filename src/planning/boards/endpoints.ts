/** Boards of projects and groups, and their lists (issue boards and group issue boards API at 14.0). */
import Type from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { CommaList, flag, integer, Nullable, OneOf, onTier, optional, text } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne, exclusive } from '../../platform/kernel/request/params.ts'
import { inPlanningGroup, inPlanningProject, type PlaceScope } from '../../spaces/places/places.ts'
import { createBoard, removeBoard, updateBoard } from './commands.ts'
import { Board, BoardList } from './entity.ts'
import { createList, removeList, updateList } from './lists.ts'
import { boardsOf, listsOfBoard } from './queries.ts'
import { inBoard, inBoardList } from './scope.ts'

interface Kind {
  readonly noun: 'group' | 'project'
  readonly scope: PlaceScope
  readonly read: Ability
  readonly manage: Ability
  /** The tier required to create and change boards of this kind; their lists are available in all. */
  readonly tier?: 'premium'
}

const Name = (options: object = {}) => text('Name of the board', { maxLength: 255, pattern: '\\S', ...options })
const id = (description: string) => optional(integer(description))
const unsettable = (description: string) => Type.Optional(Nullable(Type.Integer(), { description }))
const count = (description: string) => onTier('premium', optional(integer(description, { minimum: 0, maximum: 2_147_483_647 })))

const limits = {
  max_issue_count: count('Issues that the list should hold at most; 0 for no limit'),
  max_issue_weight: count('Weight that the list should hold at most; 0 for no limit'),
  limit_metric: onTier(
    'premium',
    optional(
      OneOf(['all_metrics', 'issue_count', 'issue_weights'], {
        description: 'What limits the list: `all_metrics`, `issue_count` or `issue_weights`',
      }),
    ),
  ),
}
const subjects = ['label_id', 'assignee_id', 'milestone_id', 'iteration_id'] as const

function boardEndpoints({ noun, scope, read, manage, tier }: Kind) {
  const path = `/${noun}s/:id/boards` as const
  const inOne = inBoard(scope)
  const inList = inBoardList(scope)
  const onItsTier = tier ? { tier } : {}

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the boards of a ${noun}`,
    scope,
    can: read,
    answers: pageOf(Board),
    run: ({ db, place }) => boardsOf(db, place),
  })
  const get = endpoint({
    route: `GET ${path}/:board_id`,
    summary: `Get a board of a ${noun}`,
    scope: inOne,
    can: read,
    answers: one(Board),
    run: ({ board }) => board,
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Create a board of a ${noun}`,
    ...onItsTier,
    scope,
    can: manage,
    params: { name: Name({ examples: ['Planning'] }) },
    answers: one(Board),
    run: ctx => createBoard(ctx, ctx.place, ctx.params.name),
  })
  const update = endpoint({
    route: `PUT ${path}/:board_id`,
    summary: `Change a board of a ${noun}`,
    ...onItsTier,
    scope: inOne,
    can: manage,
    params: {
      name: optional(Name()),
      hide_backlog_list: optional(flag('Whether the list of open issues is hidden')),
      hide_closed_list: optional(flag('Whether the list of closed issues is hidden')),
      assignee_id: onTier('premium', unsettable('Only issues assigned to this user; empty for all')),
      milestone_id: onTier('premium', unsettable('Only issues of this milestone; empty for all')),
      labels: onTier(
        'premium',
        Type.Optional(CommaList(Type.String({ maxLength: 255 }), { maxItems: 100, description: 'Only issues with these labels' })),
      ),
      weight: onTier(
        'premium',
        Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 9 }), { description: 'Only issues of this weight' })),
      ),
    },
    answers: one(Board),
    run: ctx => updateBoard(ctx, ctx.place, ctx.board, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:board_id`,
    summary: `Delete a board of a ${noun}`,
    ...onItsTier,
    scope: inOne,
    can: manage,
    answers: nothing,
    run: ctx => removeBoard(ctx, ctx.board),
  })
  const listLists = endpoint({
    route: `GET ${path}/:board_id/lists`,
    summary: `List the lists of a board of a ${noun}, without the open and the closed one`,
    scope: inOne,
    can: read,
    answers: pageOf(BoardList),
    run: ({ db, board }) => listsOfBoard(db, board.id),
  })
  const getList = endpoint({
    route: `GET ${path}/:board_id/lists/:list_id`,
    summary: `Get a list of a board of a ${noun}`,
    scope: inList,
    can: read,
    answers: one(BoardList),
    run: ({ list }) => list,
  })
  const createOneList = endpoint({
    route: `POST ${path}/:board_id/lists`,
    summary: `Add a list to a board of a ${noun}`,
    scope: inOne,
    can: manage,
    params: {
      label_id: id('Issues with this label'),
      assignee_id: onTier('premium', id('Issues assigned to this user')),
      milestone_id: onTier('premium', id('Issues of this milestone')),
      iteration_id: onTier('premium', id('Issues of this iteration')),
      ...limits,
    },
    rules: [atLeastOne(...subjects), exclusive(...subjects)],
    answers: one(BoardList),
    run: ctx => createList(ctx, ctx.place, ctx.board, ctx.params),
  })
  const updateOneList = endpoint({
    route: `PUT ${path}/:board_id/lists/:list_id`,
    summary: `Move a list of a board of a ${noun}`,
    scope: inList,
    can: manage,
    params: { position: optional(integer('From 0, from left to right', { minimum: 0 })), ...limits },
    rules: [atLeastOne('position', 'max_issue_count', 'max_issue_weight', 'limit_metric')],
    answers: one(BoardList),
    run: ctx => updateList(ctx, ctx.list, ctx.params),
  })
  const removeOneList = endpoint({
    route: `DELETE ${path}/:board_id/lists/:list_id`,
    summary: `Remove a list from a board of a ${noun}`,
    scope: inList,
    can: manage,
    answers: nothing,
    run: ctx => removeList(ctx, ctx.list),
  })
  return [list, get, create, update, remove, listLists, getList, createOneList, updateOneList, removeOneList] as const
}

export const projectBoards = boardEndpoints({
  noun: 'project',
  scope: inPlanningProject,
  read: 'read_board',
  manage: 'admin_board',
})

export const groupBoards = boardEndpoints({
  noun: 'group',
  scope: inPlanningGroup,
  read: 'read_group_board',
  manage: 'admin_group_board',
  tier: 'premium',
})
