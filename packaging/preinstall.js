/**
 * Runs before the installation scripts of the packages installed with this one. Keeps onnxruntime-node, which
 * fastembed brings, from downloading several hundred megabytes of CUDA that brain never uses: its script skips
 * the download when the file it would fetch is there. Whoever wants CUDA sets ONNXRUNTIME_NODE_INSTALL_CUDA,
 * which both scripts respect.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

function spareDownload() {
  const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'))
  const libraries = join(runtime, 'bin', 'napi-v3', 'linux', 'x64')
  const marker = join(libraries, 'libonnxruntime_providers_cuda.so')
  if (existsSync(libraries) && !existsSync(marker)) writeFileSync(marker, '')
}

try {
  if (!process.env.ONNXRUNTIME_NODE_INSTALL_CUDA) spareDownload()
} catch {
  // Not installed, or elsewhere than expected: then its own script decides, and brain works without it.
}
