/** The files of a mail become uploads of the project, which its text names. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allows } from '../../platform/access/abilities.ts'
import { places } from '../../platform/config.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Upload } from '../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import type { AttachedFile, IncomingMessage } from '../../platform/mail/incoming/message.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { createUpload, removeUpload } from '../../spaces/uploads/commands.ts'
import { type NamedUpload, ProjectUpload } from '../../spaces/uploads/entity.ts'

/** The files that were kept. */
export interface KeptFiles {
  /** A text with links to them after it. */
  below(text: string): string
  /** Names of files that were not kept; empty where all were. */
  readonly leftOut: readonly string[]
  /** Takes them back. */
  remove(): Promise<void>
}

async function keep(ctx: Context, project: ProjectWithRole, { filename, mediaType, content }: AttachedFile): Promise<NamedUpload> {
  const folder = places(ctx.deps.config).uploads
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, randomUUID())
  try {
    await writeFile(file, content, { mode: 0o600 })
    const sha256 = createHash('sha256').update(content).digest('hex')
    return await createUpload(ctx, project, new Upload({ file, filename, mimetype: mediaType, size: content.length, sha256 }))
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Keeps the files of a mail, each in a transaction of its own; `ctx.db` must not be one.
 * @param project undefined where the place takes no files
 * @param isOutsider they come from a person without an account, whom the project lets write
 */
export async function keepFiles(
  ctx: Context,
  project: ProjectWithRole | undefined,
  { files, filesLeftOut }: Pick<IncomingMessage, 'files' | 'filesLeftOut'>,
  isOutsider = false,
): Promise<KeptFiles> {
  const mayUpload = project !== undefined && (isOutsider || allows(ctx.actor, 'upload_file', projectSubject(project)) === 'yes')
  const kept: NamedUpload[] = []
  const leftOut: string[] = []
  for (const each of files) {
    if (!mayUpload) leftOut.push(each.filename)
    else
      try {
        kept.push(await keep(ctx, project, each))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        leftOut.push(each.filename)
      }
  }
  if (filesLeftOut > 0) leftOut.push(`${filesLeftOut} more`)
  const links = kept.map(upload => ProjectUpload.present(upload, undefined as never, undefined as never).markdown)
  return {
    below: text => [text, ...links].filter(part => part !== '').join('\n\n'),
    leftOut,
    async remove() {
      for (const upload of kept) await removeUpload(ctx, project?.id as number, upload as never)
    },
  }
}
