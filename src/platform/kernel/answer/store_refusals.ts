/**
 * What the object store does not give. A client can do nothing about it, but must see that the address is right and its bytes are not there; an
 * administrator finds the reason in the log.
 */
import { ObjectMissing, ObjectStoreUnavailable } from '../../object_store/store.ts'
import { Refusal } from '../errors.ts'

/** The refusal that an error of the object store is for the caller; undefined for any other error. */
export function refusalByStore(error: unknown): Refusal | undefined {
  if (error instanceof ObjectMissing)
    return new Refusal('not_found', { message: '404 File Not Found - the object store does not have this file any more' })
  if (error instanceof ObjectStoreUnavailable)
    return new Refusal('unavailable', { message: '503 Service Unavailable - the object store does not answer' })
  return undefined
}
