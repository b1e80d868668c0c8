/** Database errors, recognised by SQLSTATE codes and never by an error's text (house rule 9). */
import pg from 'pg'

/** The database cannot be reached, accepts no further connection, or the connection broke. A retry may help. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The database can be reached but cannot be used as it is; the message is one line with the reason. */
export class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit'
}

/** The SQLSTATE of a server error; undefined for every other error. */
const codeOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined)

const constraintOf = (error: unknown, code: string): string | undefined =>
  codeOf(error) === code ? ((error as pg.DatabaseError).constraint ?? '') : undefined

/** The name of the violated unique constraint or index; undefined for other errors. */
export const uniqueViolation = (error: unknown): string | undefined => constraintOf(error, '23505')

/** The name of the violated foreign key; undefined for other errors. */
export const foreignKeyViolation = (error: unknown): string | undefined => constraintOf(error, '23503')

/** The name of the violated check; undefined for other errors. */
export const checkViolation = (error: unknown): string | undefined => constraintOf(error, '23514')

/** The statement exceeded its time limit. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** The transaction conflicted with another one (deadlock, serialization) and may be retried. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '')

/** The server has no room for what was to be written. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100'

/** The connection failed, not the statement. */
export const isConnectionFailure = (error: unknown): error is DatabaseUnavailable => error instanceof DatabaseUnavailable

/** A value that its column does not take: too long, out of range, of another form. */
export const dataError = (error: unknown): boolean => codeOf(error)?.startsWith('22') === true

/** A text has a character that no text of the database has: NUL, as it is or escaped in JSON. */
export const isUnstorableText = (error: unknown): boolean => ['22021', '22P05'].includes(codeOf(error) ?? '')

/** The server reports that it does not serve this connection (shutting down, starting, out of connections, connection broken). */
export function isRefusedByServer(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && (code.startsWith('08') || ['53300', '57P01', '57P02', '57P03', '57P05'].includes(code))
}
