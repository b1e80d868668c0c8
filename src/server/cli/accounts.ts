/** Commands about accounts: they restore access for the operator of the machine, also while the server runs. */
import { text } from 'node:stream/consumers'
import { moveUser, updateUser } from '../../identity/users/commands.ts'
import { type UserRow, userByUsername } from '../../identity/users/queries.ts'
import type { UserEvent, UserState } from '../../identity/users/states.ts'
import { type Context, systemContext } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { newToken } from '../../platform/kernel/secrets.ts'
import { openLog } from '../../platform/log.ts'
import { openInstance } from '../setup/instance.ts'
import { forgetRootPassword, ROOT } from '../setup/root.ts'
import { CommandFailure } from './failures.ts'
import { configFrom, type SettingOptions } from './settings.ts'

/** Sets a password that is read from stdin, or a generated one that is printed. */
export async function resetPassword(username: string, options: SettingOptions & { readonly stdin?: true }): Promise<void> {
  const given = options.stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  const password = given ?? newToken().reveal()
  await changeAccount(username, options, async (ctx, user) => {
    await updateUser(ctx, user, { password }).catch(inWords)
  })
  if (username.toLowerCase() === ROOT) await forgetRootPassword(configFrom(options))
  process.stdout.write(given === undefined ? `The new password of ${username}: ${password}\n` : `The password of ${username} is changed\n`)
}

/** What makes an account of this state active. */
const returns: Readonly<Record<Exclude<UserState, 'active'>, UserEvent>> = {
  blocked: 'unblock',
  banned: 'unban',
  deactivated: 'activate',
  blocked_pending_approval: 'approve',
}

/** Makes a person an administrator, and their account active: the way back where no administrator can sign in any more. */
export async function makeAdministrator(username: string, options: SettingOptions): Promise<void> {
  await changeAccount(username, options, async (ctx, user) => {
    if (user.kind !== 'human') throw new CommandFailure(`${username} is not a person's account`)
    if (user.state !== 'active') await moveUser(ctx, user, returns[user.state as keyof typeof returns])
    await updateUser(ctx, user, { admin: true })
  })
  process.stdout.write(`${username} is an administrator\n`)
}

/** Does something to an account of the instance, in one transaction. */
async function changeAccount(
  username: string,
  options: SettingOptions,
  change: (ctx: Context, user: UserRow) => Promise<void>,
): Promise<void> {
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true })
  try {
    const { deps } = instance
    await deps.database.db.transaction().execute(async db => {
      const user = await userByUsername(db, username)
      if (!user) throw new CommandFailure(`there is no user "${username}"`)
      await change(systemContext(deps, db), user)
    })
  } finally {
    await instance.close()
  }
}

/** The API's refusal of a password as a line for a terminal. */
function inWords(error: unknown): never {
  const message = error instanceof Refusal ? (error.body as { message?: Record<string, string[]> }).message : undefined
  const problems = message?.password
  throw problems ? new CommandFailure(`password ${problems.join(', ')}`) : error
}
