// Refuses a body that the contract does not take, before it travels any further.
// A body without a length is judged where it ends: by the uploads container.
function handler(event) {
  var length = event.request.headers['content-length'];
  if (!length || Number(length.value) <= MAX_BODY_BYTES) {
    return event.request;
  }
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: {
      'content-type': { value: 'text/plain; charset=utf-8' },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' }
    },
    body: 'The request body is over 12 MB.\n'
  };
}
