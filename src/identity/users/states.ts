/** The states of an account (users API: block, ban, deactivate, approve and back). */
import type { Db } from '../../platform/db/connection.ts'
import { machine, move } from '../../platform/kernel/declaration/machine.ts'

export const userMachine = machine({
  states: ['active', 'blocked', 'banned', 'deactivated', 'blocked_pending_approval'],
  initial: 'active',
  events: {
    block: { active: 'blocked', deactivated: 'blocked', blocked: 'blocked', blocked_pending_approval: 'blocked' },
    unblock: { blocked: 'active', blocked_pending_approval: 'active', active: 'active' },
    ban: { active: 'banned' },
    unban: { banned: 'active' },
    deactivate: { active: 'deactivated', deactivated: 'deactivated' },
    activate: { deactivated: 'active', active: 'active' },
    approve: { blocked_pending_approval: 'active' },
  },
})

export type UserState = (typeof userMachine)['states'][number]
export type UserEvent = keyof (typeof userMachine)['events']

/** Changes the state of a locked user's row, and returns the new state. */
export async function fireUser(db: Db, user: { id: number; state: string }, event: UserEvent): Promise<UserState> {
  const state = move(userMachine, user.state as UserState, event)
  await db.updateTable('users').set({ state }).where('id', '=', user.id).execute()
  return state
}
