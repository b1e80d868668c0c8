/** What went wrong in the database, told by SQLSTATE codes and never by an error's text (house rule 9). */
import pg from 'pg'

/** The database cannot be reached, does not take another connection, or went away in the middle. Trying again later may help. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The database can be reached and cannot be used as it is; the message is one line that says why. */
export class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit'
}

/** The code of an error that the server reported; undefined for every other error. */
const codeOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined)

const constraintOf = (error: unknown, code: string): string | undefined =>
  codeOf(error) === code ? ((error as pg.DatabaseError).constraint ?? '') : undefined

/** The unique constraint or index that refused a row; undefined when the error is another one. */
export const uniqueViolation = (error: unknown): string | undefined => constraintOf(error, '23505')

/** The foreign key that refused a row, or refused to lose one; undefined when the error is another one. */
export const foreignKeyViolation = (error: unknown): string | undefined => constraintOf(error, '23503')

/** The check that refused a row; undefined when the error is another one. */
export const checkViolation = (error: unknown): string | undefined => constraintOf(error, '23514')

/** The statement ran into the time limit. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** Two transactions stood in each other's way (deadlock, serialization); the one that sees this may begin again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '')

/** The connection failed, not the statement. */
export const isConnectionFailure = (error: unknown): error is DatabaseUnavailable => error instanceof DatabaseUnavailable

/** The server says that it does not serve this connection (shutting down, starting, out of connections, connection broken). */
export function isRefusedByServer(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && (code.startsWith('08') || ['53300', '57P01', '57P02', '57P03', '57P05'].includes(code))
}
