/** `ingot admin reset-password`: restores access for the operator of the machine. Works while the server runs, too. */
import { text } from 'node:stream/consumers'
import { updateUser } from '../../identity/users/commands.ts'
import { userByUsername } from '../../identity/users/queries.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { newToken } from '../../platform/kernel/secrets.ts'
import { openLog } from '../../platform/log.ts'
import { openInstance } from '../setup/instance.ts'
import { forgetRootPassword, ROOT } from '../setup/root.ts'
import { CommandFailure } from './failures.ts'
import { configFrom, type SettingOptions } from './settings.ts'

/** Sets a password that is read from stdin, or a generated one that is printed. */
export async function resetPassword(username: string, options: SettingOptions & { readonly stdin?: true }): Promise<void> {
  const config = configFrom(options)
  const given = options.stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  const password = given ?? newToken().reveal()
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true, existing: true })
  try {
    const { deps } = instance
    await deps.database.db.transaction().execute(async db => {
      const user = await userByUsername(db, username)
      if (!user) throw new CommandFailure(`there is no user "${username}"`)
      await updateUser(systemContext(deps, db), user, { password }).catch(inWords)
    })
    if (username.toLowerCase() === ROOT) await forgetRootPassword(config)
  } finally {
    await instance.close()
  }
  process.stdout.write(given === undefined ? `The new password of ${username}: ${password}\n` : `The password of ${username} is changed\n`)
}

/** The API's refusal of a password as a line for a terminal. */
function inWords(error: unknown): never {
  const message = error instanceof Refusal ? (error.body as { message?: Record<string, string[]> }).message : undefined
  const problems = message?.password
  throw problems ? new CommandFailure(`password ${problems.join(', ')}`) : error
}
