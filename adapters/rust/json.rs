//! A JSON reader and writer, as small as the protocol allows. Numbers are integers: the protocol has no others.

use std::fmt::Write;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Other, // a number that is no integer: valid JSON, and never what a field wants
    Str(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The field of an object. A null one is absent, as the protocol says.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(fields) => fields.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v).filter(|v| **v != Value::Null),
            _ => None,
        }
    }
}

/// Reads one value that takes up all of the text.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut p = Parser { rest: text, depth: 0 };
    let value = p.value()?;
    p.space();
    if p.rest.is_empty() { Ok(value) } else { Err("something after the value".into()) }
}

struct Parser<'a> {
    rest: &'a str,
    depth: u32,
}

impl Parser<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    /// Takes c, if it is next.
    fn take(&mut self, c: char) -> bool {
        self.space();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn want(&mut self, c: char) -> Result<(), String> {
        if self.take(c) { Ok(()) } else { Err(format!("want {c:?}")) }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > 64 {
            return Err("nested too deeply".into());
        }
        self.space();
        let value = match self.rest.chars().next() {
            Some('{') => self.object(),
            Some('[') => self.list(),
            Some('"') => self.string().map(Value::Str),
            Some('-' | '0'..='9') => self.number(),
            _ => self.word(),
        };
        self.depth -= 1;
        value
    }

    fn word(&mut self) -> Result<Value, String> {
        for (word, value) in [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err("want a value".into())
    }

    fn number(&mut self) -> Result<Value, String> {
        let end = self.rest.find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9')).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        match digits.parse::<i128>() {
            Ok(n) => Ok(Value::Int(n)),
            Err(_) if digits.parse::<f64>().is_ok() => Ok(Value::Other),
            Err(_) => Err(format!("{digits} is no number")),
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.want('"')?;
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => {
                    let (_, escaped) = chars.next().ok_or("a string that does not end")?;
                    text.push(match escaped {
                        '"' | '\\' | '/' => escaped,
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'u' => {
                            let digits: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                            let code = u32::from_str_radix(&digits, 16).map_err(|_| "a bad escape")?;
                            // Half of a pair stands for itself nowhere in the protocol.
                            char::from_u32(code).unwrap_or('\u{fffd}')
                        }
                        _ => return Err("a bad escape".into()),
                    });
                }
                c if c < ' ' => return Err("a control character in a string".into()),
                c => text.push(c),
            }
        }
        Err("a string that does not end".into())
    }

    fn list(&mut self) -> Result<Value, String> {
        self.want('[')?;
        let mut items = Vec::new();
        if self.take(']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value()?);
            if !self.take(',') {
                self.want(']')?;
                return Ok(Value::List(items));
            }
        }
    }

    fn object(&mut self) -> Result<Value, String> {
        self.want('{')?;
        let mut fields = Vec::new();
        if self.take('}') {
            return Ok(Value::Object(fields));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.want(':')?;
            fields.push((name, self.value()?));
            if !self.take(',') {
                self.want('}')?;
                return Ok(Value::Object(fields));
            }
        }
    }
}

/// Appends a value to a line.
pub fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null | Value::Other => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => _ = write!(out, "{n}"),
        Value::Str(s) => write_string(out, s),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (i, (name, v)) in fields.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_string(out, name);
                out.push(':');
                write(out, v);
            }
            out.push('}');
        }
    }
}

fn write_string(out: &mut String, s: &str) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => _ = write!(out, "\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// An object from its fields.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, v)| (name.to_string(), v)).collect())
}

pub fn string(s: impl Into<String>) -> Value {
    Value::Str(s.into())
}
