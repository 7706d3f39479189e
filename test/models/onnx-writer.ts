/**
 * Writes small ONNX models: as much of protobuf and of `onnx.proto` as the tests' models need. Knows how a
 * graph is spelled in bytes; which graphs, the tests decide.
 */

export interface Tensor {
  readonly name: string
  readonly type: 'float32' | 'int8' | 'int64'
  readonly dimensions: readonly number[]
  readonly data: Float32Array | Int8Array | BigInt64Array
}

export type Attribute = number | readonly number[] | { readonly float: number }

export interface Node {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, Attribute>>
}

export interface Port {
  readonly name: string
  readonly type: 'float32' | 'int64'
  /** A name stands for an extent that varies. */
  readonly dimensions: readonly (number | string)[]
}

export interface Graph {
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  readonly initializers: readonly Tensor[]
  readonly nodes: readonly Node[]
}

const elementTypes = { float32: 1, int8: 3, int64: 7 } as const

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}

export const numberField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)])

export const bytesField = (field: number, content: Uint8Array | string): Buffer => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint(field * 8 + 5), bytes])
}

const rawBytes = ({ buffer, byteOffset, byteLength }: Tensor['data']): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const writeTensor = (tensor: Tensor): Buffer =>
  Buffer.concat([
    ...tensor.dimensions.map((extent) => numberField(1, extent)),
    numberField(2, elementTypes[tensor.type]),
    bytesField(8, tensor.name),
    bytesField(9, rawBytes(tensor.data)),
  ])

function writeAttribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') {
    return Buffer.concat([bytesField(1, name), numberField(3, value), numberField(20, 2)])
  }
  if ('float' in value)
    return Buffer.concat([bytesField(1, name), floatField(2, value.float), numberField(20, 1)])
  return Buffer.concat([
    bytesField(1, name),
    ...value.map((item) => numberField(8, item)),
    numberField(20, 7),
  ])
}

const writeNode = (node: Node): Buffer =>
  Buffer.concat([
    ...node.inputs.map((input) => bytesField(1, input)),
    ...node.outputs.map((output) => bytesField(2, output)),
    bytesField(4, node.op),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) =>
      bytesField(5, writeAttribute(name, value)),
    ),
  ])

function writePort(port: Port): Buffer {
  const dimensions = port.dimensions.map((extent) =>
    bytesField(1, typeof extent === 'number' ? numberField(1, extent) : bytesField(2, extent)),
  )
  const tensor = Buffer.concat([
    numberField(1, elementTypes[port.type]),
    bytesField(2, Buffer.concat(dimensions)),
  ])
  return Buffer.concat([bytesField(1, port.name), bytesField(2, bytesField(1, tensor))])
}

/** The bytes of an ONNX file: IR version 8, operators of opset 17. */
export function writeModel(graph: Graph): Buffer {
  const body = Buffer.concat([
    ...graph.nodes.map((node) => bytesField(1, writeNode(node))),
    bytesField(2, 'test'),
    ...graph.initializers.map((tensor) => bytesField(5, writeTensor(tensor))),
    ...graph.inputs.map((port) => bytesField(11, writePort(port))),
    ...graph.outputs.map((port) => bytesField(12, writePort(port))),
  ])
  const opset = Buffer.concat([bytesField(1, ''), numberField(2, 17)])
  return Buffer.concat([numberField(1, 8), bytesField(2, 'tests'), bytesField(7, body), bytesField(8, opset)])
}
