// node scripts/generate-protobuf.mjs: makes protocol/**/*_pb.ts from the schema files beside them. The compiler is
// fetched for the run (90 MB): schemas change too seldom to install it with the other packages.
import { spawnSync } from 'node:child_process'
import { fail, root, runBinary } from './support/bootstrap.mjs'

const packages = ['@bufbuild/buf@1.75.0', '@bufbuild/protoc-gen-es@2.17.0', 'typescript@5.9.3']
const template = {
  version: 'v2',
  plugins: [{ local: 'protoc-gen-es', out: 'protocol', opt: ['target=ts', 'import_extension=ts'] }],
}
const { status } = spawnSync(
  'npx',
  [
    '--yes',
    '--ignore-scripts',
    ...packages.flatMap((name) => ['-p', name]),
    'buf',
    'generate',
    'protocol',
  ].concat('--template', JSON.stringify(template)),
  { cwd: root, stdio: 'inherit' },
)
if (status !== 0) fail('buf generate failed')
process.exit(await runBinary('prettier', 'prettier', ['--write', 'protocol/**/*_pb.ts']))
