/** Publications of packages of NuGet: a zip whose `.nuspec` says what it is, as a multipart form. */
import type { Readable } from 'node:stream'
import type { Context } from '../../../../platform/kernel/context.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { addFile, describePackage, keepReceived, mayPublishNamed, publishVersion } from '../../commands.ts'
import { receiveForm } from '../../receive.ts'
import { fileNameOf } from './documents.ts'
import { nuspecAtBeginning, readNuspec } from './nuspec.ts'

/** A file named `package`, and nothing else. */
const form = { name: 'package', fields: 20, fieldSize: 4_096 }

/** Clients pack the `.nuspec` first, although the directory of the zip is at its end. */
async function nameIn(beginning: Buffer) {
  const nuspec = await nuspecAtBeginning(beginning)
  return nuspec && { name: nuspec.id, lookup_name: nuspec.id.toLowerCase() }
}

/**
 * Publishes the package of the form. A version may be published again: the newest file of it is installed (public behaviour at 14.0).
 * @throws Refusal 400 for what is no package
 */
export const publishByNuget = (ctx: Context & { readonly body: Readable }, project: Stored): Promise<void> =>
  receiveForm(
    ctx,
    project,
    form,
    { type: 'nuget', admission: mayPublishNamed(ctx, project, 'nuget', nameIn) },
    async ({ received }, counted) => {
      const nuspec = await readNuspec(ctx.deps.objects, received)
      const { id, version } = nuspec
      const wanted = { package_type: 'nuget', name: id, lookup_name: id.toLowerCase(), version, metadata: nuspec } as const
      await keepReceived(ctx, received, counted, async db => {
        const published = await publishVersion(db, ctx, project.id, wanted)
        if (!published.isNew) await describePackage(db, published.package.id, nuspec)
        return { file: await addFile(db, ctx, published.package, fileNameOf(id, version), received) }
      })
    },
  )
