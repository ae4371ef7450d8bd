// Refuses requests that are too large for the contract or the origins.
// A body without a declared length is checked by the uploads container.
function handler(event) {
  var request = event.request;
  var length = request.headers['content-length'];
  if (length && Number(length.value) > MAX_BODY_BYTES) {
    return answer(413, 'Content Too Large', 'text/plain; charset=utf-8', 'The request body is over 12 MB.\n');
  }
  if (headSize(request) > MAX_HEAD_BYTES) {
    var envelope = HEAD_ENVELOPE;
    envelope.error.request_id = event.context.requestId;
    var response = answer(431, 'Request Header Fields Too Large', 'application/json', JSON.stringify(envelope));
    response.headers['x-request-id'] = { value: event.context.requestId };
    return response;
  }
  return request;
}

// headSize returns approximately the size that API Gateway counts for the request line and headers.
function headSize(request) {
  var size = request.method.length + request.uri.length + ' ? HTTP/1.1'.length;
  var lists = [request.querystring, request.headers, request.cookies];
  for (var i = 0; i < lists.length; i++) {
    for (var name in lists[i]) {
      var values = lists[i][name].multiValue || [lists[i][name]];
      for (var j = 0; j < values.length; j++) {
        size += name.length + values[j].value.length + ': \r\n'.length;
      }
    }
  }
  return size;
}

function answer(status, text, type, body) {
  return {
    statusCode: status,
    statusDescription: text,
    headers: {
      'content-type': { value: type },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' }
    },
    body: body
  };
}
