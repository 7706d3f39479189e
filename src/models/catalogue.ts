/**
 * The models that npm fastembed 2.1 knows, and what it does not say of them: how their token vectors become one,
 * what they want before a query, how long a text they were trained on. Facts only; nobody is asked here.
 */
export interface Digest {
  readonly algorithm: 'sha256' | 'md5'
  readonly hex: string
}

export interface CatalogueEntry {
  readonly name: string
  readonly language: string
  readonly dimension: number
  /** Bytes of the archive, roughly. */
  readonly bytes: number
  readonly pooling: 'first' | 'mean'
  readonly queryPrefix: string
  readonly passagePrefix: string
  /** Tokens of the longest text it was trained on, special ones included. */
  readonly window: number
  /** File name below the download host. */
  readonly archive: string
  readonly modelFile: string
  /** Files that it needs besides the model and its tokenizer. */
  readonly weights: readonly string[]
  /**
   * Of the archive, as others published it; none was taken by us. The SHA-256 are pinned, alike, by several projects that
   * download it; the MD5 are the host's own header, noted by one. Without a digest, that header is checked.
   */
  readonly digest?: Digest
}

export const downloadHost = 'https://storage.googleapis.com/qdrant-fastembed/'

const bgeQuery = 'Represent this sentence for searching relevant passages: '

const bge = {
  language: 'English',
  pooling: 'first',
  queryPrefix: bgeQuery,
  passagePrefix: '',
  window: 512,
  modelFile: 'model_optimized.onnx',
  weights: [],
} as const

export const catalogue: readonly CatalogueEntry[] = [
  {
    ...bge,
    name: 'bge-small-en-v1.5',
    dimension: 384,
    bytes: 76_692_531,
    archive: 'fast-bge-small-en-v1.5.tar.gz',
    digest: {
      algorithm: 'sha256',
      hex: '3858004b3822f64f940280874b8f2d2dc25b34a4f3eb3cdf617bdceeb21ed9ed',
    },
  },
  {
    ...bge,
    name: 'bge-base-en-v1.5',
    dimension: 768,
    bytes: 195_000_000,
    archive: 'fast-bge-base-en-v1.5.tar.gz',
    digest: { algorithm: 'md5', hex: 'cc3fbfeb99b267fe57b093770433bddb' },
  },
  {
    ...bge,
    name: 'bge-small-en',
    dimension: 384,
    bytes: 77_000_000,
    archive: 'fast-bge-small-en.tar.gz',
  },
  {
    ...bge,
    name: 'bge-base-en',
    dimension: 768,
    bytes: 195_000_000,
    archive: 'fast-bge-base-en.tar.gz',
  },
  {
    ...bge,
    name: 'bge-small-zh-v1.5',
    language: 'Chinese',
    dimension: 512,
    bytes: 54_584_282,
    queryPrefix: '为这个句子生成表示以用于检索相关文章：',
    archive: 'fast-bge-small-zh-v1.5.tar.gz',
    digest: {
      algorithm: 'sha256',
      hex: 'bf023219b6029148fddf764d248808816c0ca1f107f058231bb1ae0fa526f83f',
    },
  },
  {
    name: 'all-MiniLM-L6-v2',
    language: 'English',
    dimension: 384,
    bytes: 83_000_000,
    pooling: 'mean',
    queryPrefix: '',
    passagePrefix: '',
    window: 256,
    archive: 'sentence-transformers-all-MiniLM-L6-v2.tar.gz',
    modelFile: 'model.onnx',
    weights: [],
    digest: { algorithm: 'md5', hex: '112d6b874f7492e87f9e103229d08ed0' },
  },
  {
    name: 'multilingual-e5-large',
    language: 'about 100 languages',
    dimension: 1024,
    bytes: 1_311_120_679,
    pooling: 'mean',
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
    window: 512,
    archive: 'fast-multilingual-e5-large.tar.gz',
    modelFile: 'model.onnx',
    weights: ['model.onnx_data'],
    digest: { algorithm: 'md5', hex: 'a9f1bd005eaec95386f518077755e92c' },
  },
]

export const findInCatalogue = (name: string): CatalogueEntry | undefined =>
  catalogue.find((entry) => entry.name === name)
