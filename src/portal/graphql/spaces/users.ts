/** Users, as their profiles show them. */
import { GraphQLError } from 'graphql'
import { sql } from 'kysely'
import { UserProfile } from '../../../identity/users/entity.ts'
import { userById, userByUsername, usersMatching } from '../../../identity/users/queries.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { mergeRequestsOfInstance } from '../../../review/merge_requests/lists/queries.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { UNAVAILABLE } from '../execution/unavailable.ts'
import { filtersOfMergeRequests, type MergeRequestArgs, mergeRequestArgs, shownMergeRequest } from '../items/merge_requests.ts'
import { given, orderOf, orderValues } from '../reading/access.ts'
import { Connection, connectionOf, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn, type Thing } from '../reading/things.ts'

/** What is known of a user before the profile is read: the summary that other objects embed. */
type Summary = Thing<{ readonly id: number }> | { readonly id: number }

const idOf = (user: Summary): number => ('row' in user ? user.row.id : user.id)

/** An attribute of the user that all may see. */
const fromUser = (name: string) => async (user: Summary, _args: unknown, request: GraphRequest) =>
  ((await request.user(idOf(user)))?.json as Record<string, unknown> | undefined)?.[name] ?? null

/** An attribute of the profile, for callers who are signed in, as in the REST API. */
const fromProfile = (name: string) => (user: Summary, args: unknown, request: GraphRequest) =>
  request.ctx.actor.user ? fromUser(name)(user, args, request) : null

const orders = { created: 'created_at', updated: 'updated_at' } as const

const states = { active: 'active', deactivated: 'deactivated' } as const

interface UsersArgs extends PageArgs {
  readonly ids?: readonly string[] | null
  readonly usernames?: readonly string[] | null
  readonly search?: string | null
  readonly admins?: boolean | null
  readonly sort?: string | null
}

/** Merge requests of a user, those that the caller may see: with them as `who`. */
const mergeRequestsOf =
  (who: 'author_id' | 'assignee_id' | 'reviewer_id') => (user: Summary, args: MergeRequestArgs, request: GraphRequest) =>
    new Connection(
      request,
      args,
      'merge_requests',
      () => mergeRequestsOfInstance(request.ctx, { ...filtersOfMergeRequests(args), [who]: idOf(user) }),
      row => shownMergeRequest(request, row as MergeRequestRow),
    )

export const users: Part = {
  types: `
    extend type Query {
      "The user who asks"
      currentUser: UserCore
      "Find a user"
      user("Global ID of the user" id: UserID, "Username of the user" username: String): UserCore
      "Find users"
      users(
        "Global IDs of the users" ids: [ID!]
        "Usernames" usernames: [String!]
        "Part of the name or username, or a whole email address" search: String
        "Only administrators" admins: Boolean = false
        "Order of the list" sort: Sort = created_desc
      ): UserCoreConnection
    }
    "Common sort values"
    enum Sort {
      ${orderValues(['created', 'updated'], ['created', 'updated'])}
    }
    "State of a user"
    enum UserState {
      "The user is active and is able to use the system"
      active
      "The user has been blocked and is prevented from using the system"
      blocked
      "The user is no longer active and is unable to use the system"
      deactivated
    }
    "A user"
    interface User {
      id: ID!
      username: String!
      name: String!
      state: UserState!
      avatarUrl: String
      webUrl: String!
      webPath: String!
      publicEmail: String
      location: String
      bot: Boolean!
    }
    "A user"
    type UserCore implements User {
      "Global ID"
      id: ID!
      "Username, without @"
      username: String!
      "Full name"
      name: String!
      "State of the user"
      state: UserState!
      "Address of the avatar"
      avatarUrl: String
      "Address of the profile"
      webUrl: String!
      "Path of the profile"
      webPath: String!
      "Email address that everyone may see"
      publicEmail: String
      "Email address that everyone may see"
      email: String @deprecated(reason: "This was renamed. Please use publicEmail")
      "Where the user lives"
      location: String
      "Whether the account belongs to a token or a service"
      bot: Boolean!
      "Merge requests assigned to the user"
      assignedMergeRequests(${mergeRequestArgs}): MergeRequestConnection
      "Merge requests written by the user"
      authoredMergeRequests(${mergeRequestArgs}): MergeRequestConnection
      "Merge requests that the user is asked to review"
      reviewRequestedMergeRequests(${mergeRequestArgs}): MergeRequestConnection
    }
  `,
  resolvers: {
    Query: {
      currentUser: (_, __, request) => request.user(request.ctx.actor.user?.id),
      async user(_, { id, username }: { id?: string | null; username?: string | null }, request) {
        if ((id == null) === (username == null)) throw new GraphQLError('Provide either a single username or id')
        const { actor, db } = request.ctx
        if (!actor.user) return null
        const row = id == null ? await userByUsername(db, username as string) : await userById(db, idIn(id, 'User'))
        return row ? request.show(UserProfile, row) : null
      },
      users(_, { ids, usernames, search, admins, sort, ...args }: UsersArgs, request) {
        const { ctx } = request
        // Contract: only for callers who are signed in (public behaviour).
        if (!ctx.actor.user) throw new GraphQLError(UNAVAILABLE)
        if (ids && usernames) throw new GraphQLError('Provide either a list of usernames or ids')
        return connectionOf(request, args, 'users', UserProfile, () => {
          const administrators = admins && isAdmin(ctx.actor) ? { admins } : {}
          let query = usersMatching(
            ctx.db,
            { search: given(search), ...orderOf(sort ?? 'created_desc', orders), ...administrators },
            isAdmin(ctx.actor),
          )
          if (ids) query = query.where('users.id', '=', anyOf(ids.map(id => idIn(id, 'User'))))
          if (usernames) query = query.where(sql<boolean>`lower(users.username) = ${anyOf(usernames.map(name => name.toLowerCase()))}`)
          return query
        })
      },
    },
    UserCore: {
      id: (user: Summary) => globalId('User', idOf(user)),
      state: (user: { json?: { state: string }; state?: string }) =>
        states[(user.json?.state ?? user.state) as keyof typeof states] ?? 'blocked',
      webPath: (user: { json?: { username: string }; username?: string }) => `/${user.json?.username ?? user.username}`,
      publicEmail: fromProfile('public_email'),
      email: fromProfile('public_email'),
      location: fromProfile('location'),
      bot: fromUser('bot'),
      assignedMergeRequests: mergeRequestsOf('assignee_id'),
      authoredMergeRequests: mergeRequestsOf('author_id'),
      reviewRequestedMergeRequests: mergeRequestsOf('reviewer_id'),
    },
  },
  resolveType: { User: () => 'UserCore' },
}
