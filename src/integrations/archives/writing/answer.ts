/** An archive as it is downloaded. */
import { contentDisposition } from '../../../platform/kernel/answer/disposition.ts'
import { objectAnswer } from '../../../platform/kernel/answer/object.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import type { ObjectRow } from '../../../platform/object_store/rows.ts'

/** Streams an archive. @throws Refusal 404 where there is none, or not any more */
export async function archiveAnswer(
  ctx: Context,
  archive: (ObjectRow & { readonly filename: string | null }) | undefined,
): Promise<ByteAnswer> {
  if (!archive) throw new Refusal('not_found', { message: '404 Not found or has expired' })
  const disposition = contentDisposition('attachment', archive.filename ?? 'export.tar.gz')
  return objectAnswer(ctx, archive, { mediaType: 'application/gzip', disposition })
}
