// Forms that send the request of an endpoint. Keys, and the ids that responses had, are kept in this tab alone.
(function () {
  'use strict';
  var isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
  var shownHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map(function (name) { return 'X-' + name; })
    .concat('Retry-After', 'Idempotency-Key', 'Idempotent-Replayed', 'X-Cursor-Warning', 'X-Ignored-Params', 'X-Request-Id');
  // The outcomes of the sandbox that one field of a submission decides.
  var profile = 'https://www.linkedin.com/in/', outcomes = {
    'succeeded': {}, 'profile not found': { linkedinUrl: profile + 'sandbox-not-found' }, 'no experience': { linkedinUrl: profile + 'sandbox-no-experience' },
    'provider unavailable': { linkedinUrl: profile + 'sandbox-unavailable' }, 'slow': { linkedinUrl: profile + 'sandbox-slow' },
    'worker dies': { linkedinUrl: profile + 'sandbox-crash' }, 'not a document': { resume: { contentBase64: 'AAECAwQF' } },
    'another person': { resume: { contentBase64: 'R3JhY2UgU2FtcGxlCmdyYWNlQGV4YW1wbGUub3JnCg==' } }
  };
  var memory = {};
  try { memory = sessionStorage; } catch (e) { /* it is switched off */ }
  function recall(name) { return memory['try-' + name] || ''; }
  function remember(name, value) { memory['try-' + name] = value; }

  // make returns an element with properties and children.
  function make(name, properties, children) {
    var element = Object.assign(document.createElement(name), properties);
    element.append.apply(element, children || []);
    return element;
  }
  function labelled(text, input, more) {
    return make('label', {}, [make('span', {}, [text].concat(more ? [' ', make('small', { textContent: more })] : [])), input]);
  }
  function text(element) { return element ? element.textContent.trim() : ''; }

  // exampleValues returns the parameters of the example: of the path by the template, and of the query.
  function exampleValues(template, example) {
    var sent = example.split('?'), values = {}, parts = sent[0].split('/');
    template.split('/').forEach(function (part, i) { if (part[0] === '{') values[part.slice(1, -1)] = decodeURIComponent(parts[i]); });
    new URLSearchParams(sent[1] || '').forEach(function (value, name) { values[name] = name in values ? values[name] + ', ' + value : value; });
    return values;
  }

  function Attempt(article) {
    var own = this;
    this.article = article;
    this.method = text(article.querySelector('.endpoint b'));
    this.template = text(article.querySelector('.endpoint code'));
    this.values = exampleValues(this.template, article.dataset.url);
    this.form = make('form', { className: 'try' });
    this.answer = make('div', { className: 'answer' });
    this.send = make('button', { textContent: 'Send', className: 'send' });
    this.state = make('span', { className: 'state' });
    this.state.setAttribute('role', 'status');
    this.form.append.apply(this.form, [].concat(
      this.keyField(), this.parameterFields(), this.bodyField(), make('p', { className: 'actions' }, [this.send, this.state]), this.answer));
    this.form.setAttribute('aria-label', 'Try ' + text(article.querySelector('h2')));
    this.form.addEventListener('submit', function (event) { event.preventDefault(); own.submit(); });
  }

  Attempt.prototype.keyField = function () {
    var own = this, names = { agency: 'Agency key', personal: 'Personal key', any: 'Key' }, kind = this.article.dataset.key;
    if (kind === 'none') return [];
    this.kind = kind !== 'any' ? kind : recall('personal') && !recall('agency') ? 'personal' : 'agency';
    this.key = make('input', { type: 'password', autocomplete: 'off', spellcheck: false, required: true, value: recall(this.kind), placeholder: 'rmk_test_…' });
    this.key.oninput = function () { remember(own.kind, own.key.value.trim()); };
    var field = [labelled(names[kind], this.key, 'kept in this tab, and sent to this host only')];
    if (isLocal) field.push(make('p', { className: 'choices' }, [make('button', { type: 'button', textContent: 'Use the key of this system', onclick: function () { own.takeLocalKey(); } })]));
    return field;
  };

  // takeLocalKey asks the console beside the reference for the keys of its run, as the console's own page does.
  Attempt.prototype.takeLocalKey = function () {
    var own = this, request = new XMLHttpRequest();
    function fail() { own.state.textContent = 'The console has no key. It is at 127.0.0.1 only.'; }
    request.open('GET', '/');
    request.responseType = 'document';
    request.onerror = fail;
    request.onload = function () {
      var token = request.response && request.response.querySelector('meta[name=console-token]');
      if (!token) return fail();
      fetch('/console/keys/run', { method: 'POST', headers: { 'X-Console-Token': token.content } }).then(function (response) { return response.json(); }).then(function (keys) {
        keys.forEach(function (key) { remember(key.type, key.secret); });
        own.key.value = recall(own.kind);
        own.state.textContent = own.key.value ? 'The key of this system is used.' : '';
        if (!own.key.value) fail();
      }).catch(fail);
    };
    request.send();
  };

  Attempt.prototype.parameterFields = function () {
    var own = this;
    this.parameters = [];
    own.article.querySelectorAll('li[data-in=path], li[data-in=query]').forEach(function (line) {
      var name = text(line.querySelector('.f')), value = own.values[name] || '', isRequired = !!line.querySelector('em');
      var isHint = /email/i.test(name) && !isRequired; // an invented person's address would find nothing
      var input = make('input', { name: name, value: isHint ? '' : value, placeholder: isHint ? value : '', spellcheck: false, autocomplete: 'off', required: isRequired });
      own.parameters.push({ name: name, where: line.dataset.in, input: input, example: value, isList: /\[\]/.test(text(line.querySelector('small'))) });
    });
    return this.parameters.map(function (p) { return labelled(p.name, p.input, p.where + (p.isList ? ', several with commas' : '')); });
  };

  Attempt.prototype.bodyField = function () {
    var own = this, example = this.article.dataset.body;
    if (!example) return [];
    example = JSON.parse(example);
    this.body = make('textarea', { spellcheck: false, value: JSON.stringify(example, null, 2) });
    this.body.rows = Math.min(this.body.value.split('\n').length, 24);
    var fields = [labelled('Body', this.body, 'JSON')];
    if (this.article.id === 'submitCandidate') fields.unshift(make('p', { className: 'choices' }, ['Sandbox: '].concat(Object.keys(outcomes).map(function (name) {
      return make('button', { type: 'button', textContent: name, onclick: function () {
        own.body.value = JSON.stringify(Object.assign({}, example, outcomes[name]), null, 2);
        own.state.textContent = 'The body is that of “' + name + '”.';
      } });
    }))));
    return fields;
  };

  // open shows the form, with the key and the ids that other forms have had since.
  Attempt.prototype.open = function () {
    if (this.key) this.key.value = recall(this.kind);
    this.parameters.forEach(function (p) {
      if (p.where === 'path' && p.input.value === p.example && recall(p.name)) p.input.value = p.example = recall(p.name);
    });
    this.form.hidden = false;
  };

  Attempt.prototype.address = function () {
    var path = this.template, query = new URLSearchParams();
    this.parameters.forEach(function (p) {
      var value = p.input.value.trim();
      if (p.where === 'path') path = path.replace('{' + p.name + '}', encodeURIComponent(value));
      else if (value) (p.isList ? value.split(/\s*,\s*/) : [value]).forEach(function (part) { query.append(p.name, part); });
    });
    return path + (query.size ? '?' + query : '');
  };

  Attempt.prototype.submit = function () {
    var own = this, key = this.key && this.key.value.trim(), headers = {}, started = performance.now();
    if ('changes' in this.article.dataset && !/^rmk_test_/.test(key) && !confirm('This key is not one of the sandbox. Sending changes real data. Send?')) return;
    if (key) headers.Authorization = 'Bearer ' + key;
    if (this.body) headers['Content-Type'] = 'application/json';
    if (this.article.querySelector('[id$="-request-Idempotency-Key"]')) headers['Idempotency-Key'] = freshKey();
    this.send.disabled = true;
    this.state.textContent = 'Sending';
    fetch(document.documentElement.dataset.docs.replace(/\/docs$/, '') + this.address(), {
      method: this.method, headers: headers, body: this.body && this.body.value, cache: 'no-store', credentials: 'omit', redirect: 'error'
    }).then(function (response) {
      return response.text().then(function (body) { own.show(response, headers, body, Math.round(performance.now() - started)); });
    }).catch(function (problem) { own.state.textContent = 'No answer: ' + problem.message; })
      .finally(function () { own.send.disabled = false; });
  };

  function freshKey() {
    return 'try-' + Array.prototype.map.call(crypto.getRandomValues(new Uint8Array(12)), function (byte) { return byte.toString(16).padStart(2, '0'); }).join('');
  }

  Attempt.prototype.show = function (response, sent, body, took) {
    var value = null;
    try { value = JSON.parse(body); } catch (e) { /* it is shown as it is */ }
    this.state.textContent = 'Answered in ' + took + ' ms';
    var rows = shownHeaders.filter(function (name) { return response.headers.get(name) || sent[name]; }).map(function (name) {
      return make('div', {}, [make('dt', { textContent: name }), make('dd', { textContent: response.headers.get(name) || sent[name] + ' (sent)' })]);
    });
    var pre = make('pre', { tabIndex: 0 }, [make('code', {}, value === null ? [body] : colour(JSON.stringify(value, null, 2)))]);
    this.answer.replaceChildren.apply(this.answer, [
      make('p', { className: response.ok ? 'status' : 'status refused', textContent: response.status + ' ' + (response.statusText || '') })
    ].concat(this.advice(value), this.next(value), make('dl', {}, rows), pre));
    keepIDs(value);
  };

  // colour returns JSON in the colours of the samples.
  function colour(json) {
    return json.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/).map(function (part, i) {
      return i % 2 ? make('i', { className: part[0] !== '"' ? 'm' : /:$/.test(part) ? 'n' : 's', textContent: part }) : part;
    });
  }

  // walk calls a function for each member of a value of JSON.
  function walk(value, visit) {
    if (value && typeof value === 'object') Object.keys(value).forEach(function (name) { visit(name, value[name]); walk(value[name], visit); });
  }

  // advice returns links to what to do about the codes of a response; codes of the endpoint have their advice beside it.
  Attempt.prototype.advice = function (value) {
    var seen = {}, found = [], article = this.article, docs = document.documentElement.dataset.docs;
    walk(value, function (name, code) {
      if (name !== 'code' && name !== 'errorCode' || typeof code !== 'string' || seen[code]) return;
      seen[code] = true;
      var hash = (name === 'code' && value.error ? '#error-codes-' : '#item-errors-') + code;
      var link = Array.prototype.find.call(article.querySelectorAll('.failures a'), function (a) { return a.hash === hash; });
      var cell = link && link.closest('tr').lastElementChild;
      found.push(make('p', { className: 'advice' }, [make('a', { href: docs + hash }, [make('code', { textContent: code }), cell ? '' : ': what to do']), ' ' + text(cell)]));
    });
    return found;
  };

  // next returns a button that reads the batch of a submission, if its form is on this page.
  Attempt.prototype.next = function (value) {
    var reader = value && value.batchId && this.article.id !== 'getBatch' && attempts.getBatch;
    return reader ? [make('p', { className: 'choices' }, [make('button', { type: 'button', textContent: 'Read the batch', onclick: function () { reader.toggle(true); reader.submit(); } })])] : [];
  };

  // keepIDs remembers the first id of each kind, with which the forms of other endpoints begin.
  function keepIDs(value) {
    var found = {};
    walk(value, function (name, id) {
      if (/^(batchId|candidateUserId|candidateId|roleId|callId)$/.test(name) && typeof id === 'string' && !found[name]) remember(name, found[name] = id);
    });
  }

  var attempts = {};
  document.addEventListener('DOMContentLoaded', function () {
    document.querySelectorAll('article[data-url]').forEach(function (article) {
      var attempt, button = make('button', { type: 'button', className: 'open', textContent: 'Try it' });
      button.setAttribute('aria-expanded', false);
      function toggle(open) {
        if (!attempt) {
          attempt = new Attempt(article);
          article.querySelector('.needs').after(attempt.form);
        }
        attempt.open();
        attempt.form.hidden = !open;
        button.setAttribute('aria-expanded', open);
        if (open) article.scrollIntoView({ block: 'nearest' });
        return attempt;
      }
      button.onclick = function () { toggle(button.getAttribute('aria-expanded') !== 'true'); };
      article.querySelector('.endpoint').append(' ', button);
      attempts[article.id] = { toggle: toggle, submit: function () { toggle(true).submit(); } };
    });
  });
})();
