/** Codes for those who have lost their other factor: ten, each for one sign-in, shown when they are made and kept as digests. */
import { randomBytes } from 'node:crypto'
import { Secret as OtpSecret } from 'otpauth'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { Secret } from '../../platform/secret.ts'

/** How many an account gets. */
const COUNT = 10

/** Bytes of each: 80 bits cannot be guessed from a digest either. */
const BYTES = 10

/** A code as it is typed, without what people and paper add to it. */
const plain = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '')

/** Makes new codes; those of before open nothing any more. */
export async function makeRecoveryCodes({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<readonly Secret[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map(code => ({ user_id: userId, digest: digestOf(plain(code.reveal())), created_at: now })))
    .execute()
  return codes
}

/** `abcd-efgh-ijkl-mnop`. */
function newCode(): Secret {
  const { base32 } = new OtpSecret({ buffer: Uint8Array.from(randomBytes(BYTES)).buffer })
  return new Secret((base32.toLowerCase().match(/.{4}/g) ?? []).join('-'))
}

/** Uses a code up; false where it is none of the account, or was used. */
export async function useRecoveryCode(db: Db, userId: number, code: string): Promise<boolean> {
  const used = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digestOf(plain(code)))
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** How many codes an account has left. */
export async function recoveryCodesLeft(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
